/** A file in a data folder that records the state of a transfer between the folder and Redis. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Direction } from '../redis/transfer-note.ts'

const FILE = 'transfer.json'
const OWNER_ONLY = 0o600

/** `id` identifies the transfer across attempts. `lines` is its result for the operator, once it is done. */
export type FolderMark = { direction: Direction; id: string; isDone: boolean; lines: readonly string[] }

/** Returns the mark of a folder, if it has one. Throws an error that names an unreadable file. */
export const readMark = (folder: string): FolderMark | undefined => {
  const path = join(folder, FILE)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (thrown) {
    throw new Error(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

const syncFolder = (folder: string): void => {
  const file = openSync(folder, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** Writes the mark atomically and durably. */
export const writeMark = (folder: string, mark: FolderMark): void => {
  const draft = join(folder, `${FILE}.draft`)
  writeFileSync(draft, '', { mode: OWNER_ONLY })
  const file = openSync(draft, 'r+')
  try {
    writeSync(file, JSON.stringify(mark))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, join(folder, FILE))
  syncFolder(folder)
}

/** Marks a folder's transfer as begun. A further attempt in the same direction has the same id. */
export const beginMark = (folder: string, direction: Direction): FolderMark => {
  const known = readMark(folder)
  const id = known?.direction === direction && !known.isDone ? known.id : randomUUID()
  const mark = { direction, id, isDone: false, lines: [] }
  writeMark(folder, mark)
  return mark
}

/** Removes the mark. */
export const removeMark = (folder: string): void => {
  rmSync(join(folder, FILE), { force: true })
  syncFolder(folder)
}

/** Throws an error for the operator if a server without Redis must not use the folder. */
export const refuseMoved = (folder: string): void => {
  const mark = readMark(folder)
  if (!mark) return
  const path = join(folder, FILE)
  if (mark.direction === 'import')
    throw new Error(
      `the data folder ${folder} cannot be used: its contents were moved to Redis. Set the Redis URL, or use another folder. Delete ${path} only if the servers on Redis were never started`,
    )
  if (!mark.isDone)
    throw new Error(
      `the data folder ${folder} cannot be used: the export from Redis to it is not complete. Run it again, or delete the folder`,
    )
}
