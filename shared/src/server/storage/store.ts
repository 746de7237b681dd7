/** A server's store: logs in its data directory, and tables on one of them. docs/performance.md explains the choice of logs. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder, takeFolder } from '../process/folder-lock.ts'
import type { Damage } from './damage.ts'
import { createDiskRoom, freeBytes, hasLessThan, NO_SPACE, reasonOf } from './disk-room.ts'
import { createHealth } from './health.ts'
import { type Log, openLog } from './log.ts'
import { FILE_HEAD_BYTES, logsIn, readFileHead, segmentNumbers, segmentPath } from './segment-files.ts'
import { type Key, openTables, type Table } from './tables.ts'

export type Store = {
  table: <V, K extends Key>(name: string) => Table<V, K>
  /** Opens a separate log. */
  log: (name: string) => Log
  /** Reason why the store refuses new records, or undefined. */
  failure: () => string | undefined
  /** Free bytes on the store's disk. */
  freeBytes: () => number | undefined
  /** Starts compaction if needed. Called once a second. */
  tidy: () => void
  /** Completes pending writes and closes the files. */
  close: () => Promise<void>
}

/** Tables in a data directory, or tables that all servers on one Redis share. */
export type Tables = Pick<Store, 'table'>

export type StoreOptions = {
  /** Durable records survive the end of the process (`process`), or also a power failure (`disk`). */
  durability?: 'process' | 'disk'
  /** File size in bytes at which a new file is started. */
  segmentBytes?: number
  /** Called for unreadable bytes. */
  onDamage?: (damage: Damage) => void
}

/** Name of the log with the tables. */
const TABLES = 'tables'
/** A temporary file that tests whether the disk accepts writes, and its contents. */
const TRIAL = 'trial'
const TRIAL_BYTES = Buffer.alloc(256 * 1024)
/** File names of earlier store formats. */
const EARLIER = /^(store\.mdb.*|messages-\d+\.ahead)$/

const refuseEarlier = (folder: string): void => {
  const earlier = readdirSync(folder).filter(name => EARLIER.test(name))
  if (earlier.length > 0)
    throw new Error(
      `it holds the store of an earlier version (${earlier.join(', ')}): run that version until clients have fetched their messages, then remove these files`,
    )
}

/** Returns the first bytes of a file, or none if a server that uses the folder has removed it. */
const headOf = (path: string): Buffer => {
  const head = Buffer.alloc(FILE_HEAD_BYTES)
  try {
    const file = openSync(path, 'r')
    try {
      return head.subarray(0, readSync(file, head, 0, head.length, 0))
    } finally {
      closeSync(file)
    }
  } catch (thrown) {
    if (existsSync(path)) throw thrown
    return Buffer.of()
  }
}

const refuseOtherFormats = (folder: string): void => {
  for (const name of logsIn(folder))
    for (const path of segmentNumbers(folder, name).map(number => segmentPath(folder, name, number)))
      readFileHead(headOf(path), path)
}

/** Rejects a full disk if the folder has no log yet: its first log needs space. */
const refuseFull = (folder: string): void => {
  const isNew = !readdirSync(folder).some(name => name.endsWith('.log'))
  if (isNew && hasLessThan(folder, TRIAL_BYTES.length)) throw new Error(NO_SPACE)
}

const openFolder = (dataDir: string): void => {
  makeFolder(dataDir)
  refuseEarlier(dataDir)
  refuseOtherFormats(dataDir)
  refuseFull(dataDir)
}

const unusable = (dataDir: string, thrown: unknown): Error =>
  new Error(`the data folder ${dataDir} cannot be used: ${reasonOf(thrown)}`, { cause: thrown })

/** Returns the folder itself, or the folder in which it would be created. */
const nearestExisting = (folder: string): string => (existsSync(folder) ? folder : nearestExisting(dirname(folder)))

/**
 * Checks that a store could be opened in the directory, or that the directory could be created. Another process may be
 * using it. Throws the error of `openStore`.
 */
export const checkDataFolder = (dataDir: string): void => {
  try {
    const folder = resolve(dataDir)
    const existing = nearestExisting(folder)
    if (existing === folder) {
      refuseEarlier(folder)
      refuseOtherFormats(folder)
    }
    refuseFull(existing)
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (thrown) {
    throw unusable(dataDir, thrown)
  }
}

/** Opens the store and creates its directory if needed. Throws an error that names the directory and the reason. */
export const openStore = (dataDir: string, options: StoreOptions = {}): Store => {
  const { durability = 'process', onDamage = () => undefined, ...rest } = options
  const logs: Log[] = []
  const room = createDiskRoom(dataDir)

  const trial = async (): Promise<void> => {
    const path = join(dataDir, TRIAL)
    try {
      room.claim(TRIAL_BYTES.length)
      writeFileSync(path, TRIAL_BYTES)
      for (const log of logs) log.retry()
    } catch (thrown) {
      health.failed(reasonOf(thrown))
      throw thrown
    } finally {
      if (existsSync(path)) rmSync(path)
    }
  }
  const health = createHealth(trial)

  const log = (name: string): Log => {
    const isFailing = (): boolean => health.failure() !== undefined
    const onFailure = (thrown: unknown): void => health.failed(reasonOf(thrown))
    const opened = openLog({ folder: dataDir, name, durability, room, isFailing, onFailure, onDamage, ...rest })
    logs.push(opened)
    return opened
  }

  const open = () => {
    try {
      openFolder(dataDir)
      return openTables(log(TABLES))
    } catch (thrown) {
      throw unusable(dataDir, thrown)
    }
  }
  const table = open()
  // Tries a write at start, so that a full disk is reported then and not with the first message.
  trial().catch(() => undefined)

  return {
    table,
    log,
    failure: health.failure,
    freeBytes: () => freeBytes(dataDir),
    tidy: () => {
      for (const opened of logs) opened.tidy()
    },
    close: async () => {
      await health.close()
      for (const opened of logs) await opened.close()
    },
  }
}

/** Locks the directory for this process and opens the store. */
export const openOwnStore = async (dataDir: string, options: StoreOptions): Promise<Store> => {
  const giveFolder = await takeFolder(dataDir)
  try {
    const store = openStore(dataDir, options)
    return {
      ...store,
      close: async () => {
        await store.close()
        giveFolder()
      },
    }
  } catch (thrown) {
    giveFolder()
    throw thrown
  }
}
