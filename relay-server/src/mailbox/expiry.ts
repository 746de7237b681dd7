/** Items by the second of their expiry. Finding the expired items does not visit the others. */

/** `expiresAt` is Unix time in milliseconds. `before` and `after` link the items of one second. */
export type Expiring = { readonly expiresAt: number; before: Expiring | undefined; after: Expiring | undefined }

const secondOf = ({ expiresAt }: Expiring): number => Math.ceil(expiresAt / 1000)

export type Expiry<T extends Expiring> = {
  add: (item: T) => void
  /** Removes an item. */
  remove: (item: T) => void
  /** Returns at most `limit` items that expired by `now`, which must not decrease. They stay until removed. */
  expired: (now: number, limit: number) => T[]
}

export const createExpiry = <T extends Expiring>(startedAt: number): Expiry<T> => {
  /** The last item of each second. */
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
