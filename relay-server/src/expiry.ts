/** Items by the second in which they expire: finding the expired costs what expires, not what is kept. */

const secondOf = (time: number): number => Math.ceil(time / 1000)

export type Expiry<T> = {
  /** `expiresAt` in milliseconds. */
  add: (item: T, expiresAt: number) => void
  remove: (item: T, expiresAt: number) => void
  /** Takes out at most `limit` items that have expired by `now`. */
  take: (now: number, limit: number) => T[]
}

export const createExpiry = <T>(startedAt: number): Expiry<T> => {
  const bySecond = new Map<number, Set<T>>()
  let oldest = secondOf(startedAt)
  return {
    add: (item, expiresAt) => {
      const second = secondOf(expiresAt)
      const items = bySecond.get(second) ?? new Set<T>()
      bySecond.set(second, items.add(item))
      if (second < oldest) oldest = second
    },
    remove: (item, expiresAt) => {
      const second = secondOf(expiresAt)
      const items = bySecond.get(second)
      items?.delete(item)
      if (items?.size === 0) bySecond.delete(second)
    },
    take: (now, limit) => {
      const taken: T[] = []
      for (; oldest * 1000 <= now; oldest++) {
        const items = bySecond.get(oldest) ?? []
        for (const item of items) {
          if (taken.length === limit) return taken
          taken.push(item)
          bySecond.get(oldest)?.delete(item)
        }
        bySecond.delete(oldest)
      }
      return taken
    },
  }
}
