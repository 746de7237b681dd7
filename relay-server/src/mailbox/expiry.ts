/** Items by the second in which they expire: finding the expired costs what expires, not what is kept. */

/** What an item needs to be kept here: `expiresAt` in milliseconds, and its neighbours among those of the same second. */
export type Expiring = { readonly expiresAt: number; before: Expiring | undefined; after: Expiring | undefined }

const secondOf = ({ expiresAt }: Expiring): number => Math.ceil(expiresAt / 1000)

export type Expiry<T extends Expiring> = {
  add: (item: T) => void
  /** Takes out an item that is in. */
  remove: (item: T) => void
  /** At most `limit` items that have expired by `now`, which never goes back. They stay in until they are removed. */
  expired: (now: number, limit: number) => T[]
}

export const createExpiry = <T extends Expiring>(startedAt: number): Expiry<T> => {
  /** Of each second the item that came last. */
  const lastOf = new Map<number, T>()
  let oldest = Math.ceil(startedAt / 1000)

  const remove = (item: T): void => {
    const { before, after } = item
    if (before) before.after = after
    if (after) after.before = before
    else if (before) lastOf.set(secondOf(item), before as T)
    else lastOf.delete(secondOf(item))
    item.before = undefined
    item.after = undefined
  }

  return {
    add: item => {
      const second = secondOf(item)
      const last = lastOf.get(second)
      if (last) last.after = item
      item.before = last
      lastOf.set(second, item)
      if (second < oldest) oldest = second
    },
    remove,
    expired: (now, limit) => {
      const found: T[] = []
      while (oldest * 1000 <= now && !lastOf.has(oldest)) oldest++
      for (let second = oldest; second * 1000 <= now; second++)
        for (let item = lastOf.get(second); item; item = item.before as T | undefined) {
          if (found.length === limit) return found
          found.push(item)
        }
      return found
    },
  }
}
