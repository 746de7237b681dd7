/** Stores for the wallet's state. A store holds JSON values by name; each `set` is atomic. */
import { RpcError } from '@heliograph/shared/errors'
import { report, rpcError } from '../text/errors.ts'
import { createSerialQueue, createSignal, type Observable } from '../work/turns.ts'
import { sortedJson } from './sorted-json.ts'

export type Store = {
  get(name: string): Promise<unknown>
  set(name: string, value: unknown): Promise<void>
  remove(name: string): Promise<void>
}

/** `local` is on disk. `session` is in memory until the browser closes, and survives worker restarts. */
export type Stores = { local: Store; session: Store }

/** Notifies observers of each value that is written or removed, except `unobserved` ones. */
export const observing = (store: Store, unobserved: ReadonlySet<string>): Store & Observable => {
  const { observe, notify } = createSignal()
  const changed = (name: string) => {
    if (!unobserved.has(name)) notify()
  }
  return {
    observe,
    get: store.get,
    set: async (name, value) => {
      await store.set(name, value)
      changed(name)
    },
    remove: async name => {
      await store.remove(name)
      changed(name)
    },
  }
}

const REASON = 'recordUnreadable'

/** Returns a `catch` handler for a read. It throws an error that names the record. */
export const asUnreadable =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof RpcError) throw error
    report(error)
    throw rpcError('internal', REASON, { name })
  }

/** Returns a `catch` handler that substitutes a value for an unreadable record. It throws any other error. */
export const ifUnreadable =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof RpcError && error.reason === REASON) return value
    throw error
  }

/**
 * A single value in a store, with serialized updates. An absent value reads as the initial value. A value that cannot
 * be read at the moment reads as `Unreadable`, if the cell has such a value.
 */
export type Cell<T, Unreadable = never> = {
  read(): Promise<T | Unreadable>
  /** Replaces the value with the result of `change` and returns it. An identical value is not written. */
  update(change: (value: T) => T): Promise<T>
}

/**
 * Creates a cell. `initial` is used if there is no value. Values are not validated, because only this cell writes them.
 */
export const createCell = <T>(store: Store, name: string, initial: T): Cell<T> => {
  const inTurn = createSerialQueue()
  const read = async () => ((await store.get(name)) as T | undefined) ?? initial
  return {
    read: () => inTurn(read),
    update: change =>
      inTurn(async () => {
        const value = await read()
        const changed = change(value)
        if (changed !== value) await store.set(name, changed)
        return changed
      }),
  }
}

/** Creates an in-memory store, which copies values like Chromium's storage. */
export const memoryStore = (): Store => {
  const values = new Map<string, string>()
  return {
    get: async name => {
      const text = values.get(name)
      return text === undefined ? undefined : JSON.parse(text)
    },
    set: async (name, value) => void values.set(name, sortedJson(value)),
    remove: async name => void values.delete(name),
  }
}

export type NotingStore = Store & {
  /** Returns the names of values whose last read failed and that were not written since. */
  unreadable(): readonly string[]
}

/** Wraps a store to record which of its values cannot be read. */
export const noting = (store: Store): NotingStore => {
  const failed = new Set<string>()
  return {
    get: async name => {
      try {
        const value = await store.get(name)
        failed.delete(name)
        return value
      } catch (error) {
        failed.add(name)
        throw error
      }
    },
    set: async (name, value) => {
      await store.set(name, value)
      failed.delete(name)
    },
    remove: async name => {
      await store.remove(name)
      failed.delete(name)
    },
    unreadable: () => [...failed],
  }
}

/**
 * Caches a store's values for its only writer, because reading megabytes is slow. Callers must not modify returned
 * values.
 */
export const remembering = (store: Store): Store => {
  const values = new Map<string, unknown>()
  /** Number of changes to each value. A read that was in progress during a change is not cached. */
  const changes = new Map<string, number>()
  const change = (name: string) => {
    values.delete(name)
    const count = (changes.get(name) ?? 0) + 1
    changes.set(name, count)
    return count
  }
  const learn = (name: string, value: unknown, seen: number | undefined) => {
    if (changes.get(name) === seen) values.set(name, value)
  }
  return {
    get: async name => {
      if (values.has(name)) return values.get(name)
      const seen = changes.get(name)
      const value = await store.get(name)
      learn(name, value, seen)
      return value
    },
    set: async (name, value) => {
      const seen = change(name)
      // The value reads the same from the cache and, by the next worker, from any browser's storage.
      const stored = JSON.parse(sortedJson(value))
      await store.set(name, stored)
      learn(name, stored, seen)
    },
    remove: async name => {
      change(name)
      await store.remove(name)
      change(name)
    },
  }
}
