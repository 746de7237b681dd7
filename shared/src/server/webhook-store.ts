/** Calls to webhooks on disk: what decides when a call is made, and apart from it what it says, which may be long. */
import type { Logger } from './log.ts'
import type { Store } from './storage/store.ts'
import type { Content } from './webhook-content.ts'

/**
 * A call that is owed. `registration` is on whose behalf; calls with one `key` say the same. Times are milliseconds of
 * Unix time, `size` is in bytes.
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
  /** All calls, in the order in which they came. */
  load: () => Iterable<{ id: number; owed: Owed }>
  /** Adds a call. Resolves when it survives a crash, or with false when the disk did not take it. */
  add: (id: number, owed: Owed, content: Content) => Promise<boolean>
  /** Notes that a call has changed. */
  update: (id: number, owed: Owed) => void
  remove: (id: number) => void
  /** What a call says. */
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
      log.error({ err }, 'a webhook call was not stored')
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
