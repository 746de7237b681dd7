/** Webhook calls on disk. Their contents may be long, so they are stored apart from the scheduling data. */
import type { Logger } from '../process/log.ts'
import type { Store } from '../storage/store.ts'
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

export type CallStore = {
  /** All calls in the order in which they were added. */
  load: () => Iterable<{ id: number; owed: Owed }>
  /** Stores a call. Resolves with true when it is durable, or false if the write failed. */
  add: (id: number, owed: Owed, content: Content) => Promise<boolean>
  /** Stores a change of a call. */
  update: (id: number, owed: Owed) => void
  remove: (id: number) => void
  contentOf: (id: number) => Content | undefined
}

export const openCallStore = (store: Store, log: Logger): CallStore => {
  const table = store.table<Owed, number>('webhook-queue')
  const contents = store.table<Content, number>('webhook-contents')

  const written = async (...writes: Promise<void>[]): Promise<boolean> => {
    try {
      await Promise.all(writes)
      return true
    } catch (err) {
      log.error({ err }, 'storing a webhook call failed')
      return false
    }
  }

  return {
    load: () => [...table.entries()].map(([id, owed]) => ({ id, owed })),
    add: (id, owed, content) => written(table.put(id, owed), contents.put(id, content)),
    update: (id, owed) => void written(table.put(id, owed)),
    remove: id => void written(table.remove(id), contents.remove(id)),
    contentOf: id => contents.get(id),
  }
}
