/** Webhook calls on disk. Their contents may be long, so they are stored apart from the scheduling data. */
import type { Logger } from '../process/log.ts'
import type { Tables } from '../storage/store.ts'
import type { Key } from '../storage/tables.ts'
import type { Content } from './content.ts'

/**
 * A queued call. Calls with the same `key` have the same content. Times are Unix time in
 * milliseconds, `size` is in bytes.
 */
export type Owed = {
  url: string
  registration: string
  key: string
  attempt: number
  firstAt: number
  dueAt: number
  size: number
}

export type CallId = Key

export type CallStore = {
  /**
   * Calls `enter` with each stored call in the order in which they were added, and later with calls that this
   * server takes over from another server.
   */
  load: (enter: (id: CallId, owed: Owed) => void) => void
  newId: () => CallId
  /** Stores a call. Resolves with true when it is durable, or false if the write failed. */
  add: (id: CallId, owed: Owed, content: Content) => Promise<boolean>
  /** Stores a change of a call. */
  update: (id: CallId, owed: Owed) => void
  remove: (id: CallId) => void
  contentOf: (id: CallId) => Content | undefined
}

/** Resolves with true if all writes of a call succeed. Otherwise logs the error and resolves with false. */
export const written = async (log: Logger, ...writes: Promise<unknown>[]): Promise<boolean> => {
  try {
    await Promise.all(writes)
    return true
  } catch (err) {
    log.error({ err }, 'storing a webhook call failed')
    return false
  }
}

/** Returns the tables of scheduling data and of contents, by call id. */
export const callTables = (tables: Tables) => ({
  table: tables.table<Owed, CallId>('webhook-queue'),
  contents: tables.table<Content, CallId>('webhook-contents'),
})

export const openCallStore = (store: Tables, log: Logger): CallStore => {
  const { table, contents } = callTables(store)
  let lastId = 0

  return {
    load: enter => {
      for (const [id, owed] of [...table.entries()]) {
        lastId = Number(id)
        enter(id, owed)
      }
    },
    newId: () => {
      lastId += 1
      return lastId
    },
    add: (id, owed, content) => written(log, table.put(id, owed), contents.put(id, content)),
    update: (id, owed) => void written(log, table.put(id, owed)),
    remove: id => void written(log, table.remove(id), contents.remove(id)),
    contentOf: id => contents.get(id),
  }
}
