/** The last things worth telling a person who looks in. They hold no topics, clients or addresses. */

/** `at` is in ms of Unix time. */
export type Event = { at: number; level: 'ok' | 'warn'; text: string }

export type Events = {
  /** Tells of something new. What goes on under the same key is one event, with the last words. */
  note: (level: Event['level'], text: string, key?: string) => void
  /** The newest first. */
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
