/**
 * The embedded store of a server: LMDB in its data folder, with group commit. Writes asked for while a commit is under
 * way go into the next one together, and each is answered when its commit is synced to disk.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type Key, open, type RootDatabase } from 'lmdb'
import { freeBytes, NO_SPACE, openDiskRoom } from './disk-room.ts'
import { makeFolder, takeFolder } from './folder-lock.ts'
import { compactCopy, isWasteful, removeCopies, usedBytes } from './store-copy.ts'
import { createHealth } from './store-health.ts'
import { endOfTurn } from './turn.ts'

/** A put or remove of a table, to be called inside a commit. */
export type Write = () => Promise<boolean>

/** How values are stored: as JSON-like (MessagePack) or as bytes. */
export type Encoding = 'msgpack' | 'binary'

/** A table of the store; see LMDB's `Database`. */
export type Table<V, K extends Key> = Pick<Database<V, K>, 'get' | 'getBinaryFast' | 'getRange'> & {
  put: (key: K, value: V) => Promise<boolean>
  remove: (key: K) => Promise<boolean>
}

export type Store = {
  table: <V, K extends Key>(name: string, encoding: Encoding) => Table<V, K>
  /**
   * Commits writes in the order of the calls. Resolves when they survive a crash; throws why the disk did not take them.
   * `begin` is called when their turn has come, whether there is room for them or not: it returns about how many bytes
   * they store. Without it they take little room, or give some.
   */
  write: (writes: readonly Write[], begin?: () => number) => Promise<void>
  /** As `write`, but a little later, unless `write` is called before: for what is safe elsewhere meanwhile. */
  writeLater: Store['write']
  /** Why the store does not take writes; undefined while it does. */
  failure: () => string | undefined
  /** Bytes that are free on its disk. */
  freeBytes: () => number
  /** Gives room on the disk back if most of the file has become free. Writes wait meanwhile; called now and then. */
  shrink: () => Promise<void>
  /** Waits for what was asked for and lets go of the files. */
  close: () => Promise<void>
}

/** The error of a failed commit hides the reason in a promise of its own. */
const reasonOf = async (failure: unknown): Promise<unknown> => {
  if (!(failure instanceof Error) || !('commitError' in failure)) return failure
  try {
    await failure.commitError
    return failure
  } catch (reason) {
    return reason
  }
}

/** As one batch: a promise of a single write is of no use, and what LMDB would batch by itself fails unheard. */
const commit = async (root: RootDatabase, writes: readonly Write[]): Promise<void> => {
  const done = new Set<Promise<boolean>>()
  try {
    const committed = root.batch(() => {
      for (const write of writes) done.add(write())
    })
    await Promise.all([committed, ...done])
  } catch (failure) {
    throw await reasonOf(failure)
  }
}

const FILE = 'store.mdb'
/** Milliseconds that a commit may be put off. */
const LATER = 100
const MOST_TABLES = 32
/** Bytes of a store with nothing in it. */
const EMPTY_BYTES = 256 * 1024
/** Bytes that a store must have room for to be called one that takes writes. */
const TRIAL_BYTES = 256 * 1024

/** Without overlappingSync a commit is synced when it resolves, and one that fails rejects instead of hanging. */
const openFile = (path: string): RootDatabase =>
  open({ path, compression: false, overlappingSync: false, eventTurnBatching: false, maxDbs: MOST_TABLES })

const openFolder = (dataDir: string): RootDatabase => {
  const path = join(dataDir, FILE)
  try {
    makeFolder(dataDir)
    removeCopies(dataDir, FILE)
    if (!existsSync(path) && freeBytes(dataDir) < EMPTY_BYTES) throw new Error(NO_SPACE)
    return openFile(path)
  } catch (thrown) {
    throw new Error(`the data folder ${dataDir} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** Bytes from the start of the file to the end of what is in it. */
const lengthOf = (root: RootDatabase): number => {
  const { lastPageNumber, pageSize } = root.getStats() as { lastPageNumber: number; pageSize: number }
  return (lastPageNumber + 1) * pageSize
}

/** Opens the store in a folder, which is made if missing. Throws an error that names the folder and the reason. */
export const openStore = (dataDir: string): Store => {
  let root = openFolder(dataDir)
  /** The tables as the file has them; all change when the file does. */
  const handles = new Map<string, { encoding: Encoding; database: Database }>()
  let queued: { writes: Write[]; begins: (() => number)[] } = { writes: [], begins: [] }
  let next: Promise<void> | undefined
  /** Somebody waits for the next commit. `hurry` ends its waiting for its time. */
  let isUrgent = false
  let hurry = (): void => undefined
  let running: Promise<void> = Promise.resolve()

  const databases = () => [root, ...[...handles.values()].map(({ database }) => database)]

  const openRoom = () =>
    openDiskRoom({
      path: join(dataDir, FILE),
      used: () => lengthOf(root),
      unused: () => lengthOf(root) - usedBytes(databases()),
    })
  let room = openRoom()

  /** Runs what nothing else may run beside. */
  const alone = (work: () => Promise<void>): Promise<void> => {
    const done = running.then(work)
    running = done.catch(() => undefined)
    return done
  }

  const commitAll = async (writes: readonly Write[], bytes: number): Promise<void> => {
    try {
      room.claim(bytes)
      await commit(root, writes)
    } catch (failure) {
      health.failed(failure instanceof Error ? failure.message : String(failure))
      throw failure
    }
  }

  const trial = (): Promise<void> => alone(() => commitAll([() => trials.put(0, Date.now())], TRIAL_BYTES))

  const later = (): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, LATER)
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const commitQueued = async (): Promise<void> => {
    if (!isUrgent) await later()
    await endOfTurn()
    const { writes, begins } = queued
    queued = { writes: [], begins: [] }
    next = undefined
    isUrgent = false
    const bytes = begins.reduce((sum, begin) => sum + begin(), 0)
    await commitAll(writes, bytes)
  }

  /** Goes over to a copy without the free pages. Until the copy is complete the old file is untouched. */
  const replaceFile = async (): Promise<void> => {
    if (!isWasteful(join(dataDir, FILE), databases())) return
    const old = root
    root = await compactCopy(old, dataDir, FILE, openFile)
    for (const [name, handle] of handles) handle.database = root.openDB({ name, encoding: handle.encoding })
    room.close()
    room = openRoom()
    await old.close()
  }

  const table = <V, K extends Key>(name: string, encoding: Encoding): Table<V, K> => {
    const handle = handles.get(name) ?? { encoding, database: root.openDB({ name, encoding }) }
    handles.set(name, handle)
    const current = () => handle.database as Database<V, K>
    return {
      get: key => current().get(key),
      getBinaryFast: key => current().getBinaryFast(key),
      getRange: options => current().getRange(options),
      put: (key, value) => current().put(key, value),
      remove: key => current().remove(key),
    }
  }

  const trials = table<number, number>('trials', 'msgpack')
  const health = createHealth(trial)
  // A disk without room is told from the start, not by the first message.
  trial().catch(() => undefined)

  const writeLater: Store['write'] = (writes, begin) => {
    for (const write of writes) queued.writes.push(write)
    if (begin) queued.begins.push(begin)
    next ??= alone(commitQueued)
    return next
  }

  const beUrgent = (): void => {
    isUrgent = true
    hurry()
  }

  return {
    table,
    write: (writes, begin) => {
      beUrgent()
      return writeLater(writes, begin)
    },
    writeLater,
    failure: health.failure,
    freeBytes: () => freeBytes(dataDir),
    shrink: () => alone(replaceFile),
    close: async () => {
      beUrgent()
      await health.close()
      await next?.catch(() => undefined)
      await running
      await root.close()
      room.close()
    },
  }
}

/** Opens the store for this process alone: a second process that shared it would know nothing of the first. */
export const openOwnStore = async (dataDir: string): Promise<Store> => {
  const giveFolder = await takeFolder(dataDir)
  try {
    const store = openStore(dataDir)
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
