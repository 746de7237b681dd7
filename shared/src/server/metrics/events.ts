/** Recent events for the status page. They contain no topics, clients or addresses. */

/** `at` is Unix time in milliseconds. */
export type Event = { at: number; level: 'ok' | 'warn'; text: string }

export type Events = {
  /** Adds an event, or updates the one with the same key. */
  note: (level: Event['level'], text: string, key?: string) => void
  /** Newest first. */
  list: () => Event[]
}

export const createEvents = (size: number, now: () => number = Date.now): Events => {
  const events: (Event & { key: string | undefined })[] = []
  return {
    note: (level, text, key) => {
      const before = key === undefined ? -1 : events.findIndex(event => event.key === key)
      if (before >= 0) events.splice(before, 1)
      events.unshift({ at: now(), level, text, key })
      if (events.length > size) events.pop()
    },
    list: () => events.map(({ at, level, text }) => ({ at, level, text })),
  }
}
