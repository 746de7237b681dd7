/** Where the wallet keeps its state. A store holds JSON values by name; one `set` is atomic. */
import { createTurns } from './turns.ts'

export type Store = {
  get(name: string): Promise<unknown>
  set(name: string, value: unknown): Promise<void>
  remove(name: string): Promise<void>
}

/** `local` lives on disk; `session` lives in memory until the browser closes and survives a restart of the worker. */
export type Stores = { local: Store; session: Store }

/** One named value in a store, with updates one after the other so that none is lost. */
export type Cell<T> = {
  read(): Promise<T>
  /** Replaces the value by what `change` makes of it and returns it. */
  update(change: (value: T) => T): Promise<T>
}

/** `initial` is what an absent value reads as. The value was written by this cell, so it is trusted. */
export const createCell = <T>(store: Store, name: string, initial: T): Cell<T> => {
  const inTurn = createTurns()
  const read = async () => ((await store.get(name)) as T | undefined) ?? initial
  return {
    read: () => inTurn(read),
    update: change =>
      inTurn(async () => {
        const value = change(await read())
        await store.set(name, value)
        return value
      }),
  }
}

/** What Chromium's storage makes of a value: a copy as JSON in which the members of objects are in order of their names. */
const copyOf = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** A store in memory, for Node. It keeps values as a browser's storage does, and what that loses is lost here too. */
export const memoryStore = (): Store => {
  const values = new Map<string, string>()
  return {
    get: async name => {
      const text = values.get(name)
      return text === undefined ? undefined : JSON.parse(text)
    },
    set: async (name, value) => void values.set(name, JSON.stringify(value, copyOf)),
    remove: async name => void values.delete(name),
  }
}

/**
 * The same store for its only writer: what it has read or written it does not read again, which counts where a value has
 * megabytes. What it hands out must not be changed.
 */
export const remembering = (store: Store): Store => {
  const values = new Map<string, unknown>()
  /** Counts the changes of each value: what was under way while it changed says nothing of it. */
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
      await store.set(name, value)
      // What the store makes of it.
      learn(name, JSON.parse(JSON.stringify(value)), seen)
    },
    remove: async name => {
      change(name)
      await store.remove(name)
      change(name)
    },
  }
}
