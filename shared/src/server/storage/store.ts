/** The store of a server: logs in its data folder, and tables on one of them. docs/performance.md says why logs alone. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, takeFolder } from '../folder-lock.ts'
import type { Damage } from './damage.ts'
import { createDiskRoom, freeBytes, NO_SPACE, reasonOf } from './disk-room.ts'
import { createHealth } from './health.ts'
import { type Log, openLog } from './log.ts'
import { type Key, openTables, type Table } from './tables.ts'

export type Store = {
  table: <V, K extends Key>(name: string) => Table<V, K>
  /** Opens a log of its own in the folder. */
  log: (name: string) => Log
  /** Why the store does not take new records; undefined while it does. */
  failure: () => string | undefined
  /** Bytes that are free on its disk. */
  freeBytes: () => number
  /** Keeps the files within their bound; called once a second. */
  tidy: () => void
  /** Waits for what was asked for and lets go of the files. */
  close: () => Promise<void>
}

export type StoreOptions = {
  /** What is durable: what survives the end of the process, or a power cut as well. */
  durability?: 'process' | 'disk'
  /** Bytes of a file from which on the next one begins. */
  segmentBytes?: number
  /** Hears of bytes that cannot be read. */
  onDamage?: (damage: Damage) => void
}

/** The log of the tables. */
const TABLES = 'tables'
/** A file that is written and removed to see whether the disk takes anything, and its bytes. */
const TRIAL = 'trial'
const TRIAL_BYTES = Buffer.alloc(256 * 1024)
/** What earlier versions stored. */
const EARLIER = /^(store\.mdb.*|messages-\d+\.ahead)$/

const refuseEarlier = (folder: string): void => {
  const earlier = readdirSync(folder).filter(name => EARLIER.test(name))
  if (earlier.length > 0)
    throw new Error(
      `it holds the store of an earlier version (${earlier.join(', ')}): let clients fetch what waits from that version, then remove these files`,
    )
}

const openFolder = (dataDir: string): void => {
  makeFolder(dataDir)
  refuseEarlier(dataDir)
  const isNew = !readdirSync(dataDir).some(name => name.endsWith('.log'))
  if (isNew && freeBytes(dataDir) < TRIAL_BYTES.length) throw new Error(NO_SPACE)
}

/** Opens the store in a folder, which is made if missing. Throws an error that names the folder and the reason. */
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
      throw new Error(`the data folder ${dataDir} cannot be used: ${reasonOf(thrown)}`, { cause: thrown })
    }
  }
  const table = open()
  // A disk without room is told from the start, not by the first message.
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

/** Opens the store for this process alone: a second process that shared it would know nothing of the first. */
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
