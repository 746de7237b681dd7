/** Room on the disk that LMDB has no use for: its file never shrinks, so now and then a copy without it takes over. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase } from 'lmdb'
import { freeBytes } from './disk-room.ts'

/** Bytes of a file that is too small to bother. */
const SMALL_FILE = 32 * 1024 * 1024
/** A file is copied when no more than one part in this many is used. */
const USED_PART = 4
/** Bytes whose copying would keep writes waiting for too long. */
const LARGE_COPY = 512 * 1024 * 1024

/** What LMDB says of the pages of a table. */
type Pages = { pageSize: number; treeBranchPageCount: number; treeLeafPageCount: number; overflowPages: number }

type Tables = readonly Pick<Database, 'getStats'>[]

const pageBytes = (database: Pick<Database, 'getStats'>): number => {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = database.getStats() as Pages
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages)
}

/** Bytes of what is in these tables. */
export const usedBytes = (tables: Tables): number => tables.reduce((sum, table) => sum + pageBytes(table), 0)

/** True if most of the file of these tables is free, and what is not is quickly copied and has room on the disk. */
export const isWasteful = (path: string, tables: Tables): boolean => {
  const used = usedBytes(tables)
  const { size } = statSync(path)
  return size >= SMALL_FILE && used * USED_PART <= size && used <= LARGE_COPY && used * USED_PART <= freeBytes(path)
}

const sync = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What earlier copies left in the folder: of `store.mdb` these are `store.mdb.1` and the lock beside it. */
const copiesIn = (folder: string, file: string): string[] =>
  readdirSync(folder).filter(name => name.startsWith(`${file}.`))

/** Removes what earlier copies left, before the file is opened. */
export const removeCopies = (folder: string, file: string): void => {
  for (const name of copiesIn(folder, file)) rmSync(join(folder, name))
}

/**
 * Copies what is used, opens the copy, and gives it the name of the file. Nothing may be written meanwhile. Throws when
 * the disk does not take it; the file is as it was then.
 */
export const compactCopy = async (
  root: RootDatabase,
  folder: string,
  file: string,
  open: (path: string) => RootDatabase,
): Promise<RootDatabase> => {
  const path = join(folder, file)
  const copyPath = `${path}.${copiesIn(folder, file).length + 1}`
  await root.backup(copyPath, true)
  sync(copyPath)
  const copy = open(copyPath)
  renameSync(copyPath, path)
  sync(folder)
  return copy
}
