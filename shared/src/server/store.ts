/**
 * The embedded store of a server: LMDB in its data folder, with group commit. Writes asked for while a commit is under
 * way go into the next one together, and each is answered when its commit is synced to disk.
 */
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { type Database, type Key, open, type RootDatabase } from 'lmdb'
import { makeFolder, takeFolder } from './folder-lock.ts'
import { compactCopy, isWasteful, removeCopies } from './store-copy.ts'

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
  /** Commits writes in the order of the calls. Resolves when they survive a crash; throws why the disk did not take them. */
  write: (writes: readonly Write[]) => Promise<void>
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

const commit = async (writes: readonly Write[]): Promise<void> => {
  try {
    await Promise.all(new Set(writes.map(write => write())))
  } catch (failure) {
    throw await reasonOf(failure)
  }
}

const FILE = 'store.mdb'

/** Without overlappingSync a commit is synced when it resolves, and one that fails rejects instead of hanging. */
const openFile = (path: string): RootDatabase => open({ path, compression: false, overlappingSync: false })

const openFolder = (dataDir: string): RootDatabase => {
  try {
    makeFolder(dataDir)
    removeCopies(dataDir, FILE)
    const root = openFile(join(dataDir, FILE))
    // A disk without room is told here, not by the first message.
    root.openDB<number, string>({ name: 'process' }).putSync('startedAt', Date.now())
    return root
  } catch (thrown) {
    throw new Error(`the data folder ${dataDir} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** Opens the store in a folder, which is made if missing. Throws an error that names the folder and the reason. */
export const openStore = (dataDir: string): Store => {
  let root = openFolder(dataDir)
  /** The tables as the file has them; all change when the file does. */
  const handles = new Map<string, { encoding: Encoding; database: Database }>()
  let queued: Write[] = []
  let next: Promise<void> | undefined
  let running: Promise<void> = Promise.resolve()

  /** Runs what nothing else may run beside. */
  const alone = (work: () => Promise<void>): Promise<void> => {
    const done = running.then(work)
    running = done.catch(() => undefined)
    return done
  }

  const commitQueued = async (): Promise<void> => {
    await endOfTurn()
    const writes = queued
    queued = []
    next = undefined
    await commit(writes)
  }

  /** Goes over to a copy without the free pages. Until the copy is complete the old file is untouched. */
  const replaceFile = async (): Promise<void> => {
    const databases = [...handles.values()].map(({ database }) => database)
    if (!isWasteful(join(dataDir, FILE), [root, ...databases])) return
    const old = root
    root = await compactCopy(old, dataDir, FILE, openFile)
    for (const [name, handle] of handles) handle.database = root.openDB({ name, encoding: handle.encoding })
    await old.close()
  }

  return {
    table: <V, K extends Key>(name: string, encoding: Encoding): Table<V, K> => {
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
    },
    write: writes => {
      for (const write of writes) queued.push(write)
      next ??= alone(commitQueued)
      return next
    },
    shrink: () => alone(replaceFile),
    close: async () => {
      await next?.catch(() => undefined)
      await running
      await root.close()
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
