/**
 * The embedded store of a server: LMDB in its data folder, with group commit. Writes asked for while a commit is under
 * way go into the next one together, and each is answered when its commit is synced to disk.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { type Database, type Key, open, type RootDatabase } from 'lmdb'

/** A put or remove of a table, to be called inside a commit. */
export type Write = () => Promise<boolean>

export type Store = {
  /** Opens a named table. Values are JSON-like (MessagePack) or, with `binary`, bytes. */
  table: <V, K extends Key>(name: string, encoding: 'msgpack' | 'binary') => Database<V, K>
  /** Commits writes in the order of the calls. Resolves when they survive a crash; throws why the disk did not take them. */
  write: (writes: readonly Write[]) => Promise<void>
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
/** Mode of a folder that is made: what waits in it is nobody else's. */
const OWNER_ONLY = 0o700

const openFile = (dataDir: string): RootDatabase => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY })
    // Without overlappingSync a commit is synced when it resolves, and one that fails rejects instead of hanging.
    return open({ path: join(dataDir, FILE), compression: false, overlappingSync: false })
  } catch (thrown) {
    throw new Error(`the data folder ${dataDir} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** Opens the store in a folder, which is made if missing. Throws an error that names the folder and the reason. */
export const openStore = (dataDir: string): Store => {
  const root = openFile(dataDir)
  let queued: Write[] = []
  let next: Promise<void> | undefined
  let running: Promise<void> = Promise.resolve()

  const commitQueued = async (): Promise<void> => {
    await running
    await endOfTurn()
    const writes = queued
    queued = []
    next = undefined
    const done = commit(writes)
    running = done.catch(() => undefined)
    return done
  }

  return {
    table: (name, encoding) => root.openDB({ name, encoding }),
    write: writes => {
      for (const write of writes) queued.push(write)
      next ??= commitQueued()
      return next
    },
    close: async () => {
      await next?.catch(() => undefined)
      await running
      await root.close()
    },
  }
}
