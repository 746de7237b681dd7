/** Messages kept in memory for the deliveries that mostly follow at once; the oldest make room. */
import type { Item } from './message-log.ts'

/** Messages of which account is kept, however short they are. */
const MOST_ITEMS = 65_536

export type RecentItem = Item & { size: number }

export type Recent = {
  /** Keeps the message that the item carries. What is not stored yet is kept in any case. */
  add: (item: RecentItem) => void
  /** Lets the message go, if the item still carries it. */
  remove: (item: RecentItem) => void
}

/** Keeps about `capacity` bytes. */
export const createRecent = (capacity: number): Recent => {
  let items: RecentItem[] = []
  let first = 0
  let held = 0

  const remove = (item: RecentItem): void => {
    if (!item.message) return
    item.message = undefined
    held -= item.size
  }

  const trim = (): void => {
    for (let item = items[first]; item; item = items[++first]) {
      if (item.message && held <= capacity && items.length - first <= MOST_ITEMS) break
      if (item.message && !item.place?.chunk.isSafe) break
      remove(item)
    }
    if (first < MOST_ITEMS) return
    items = items.slice(first)
    first = 0
  }

  return {
    add: item => {
      items.push(item)
      held += item.size
      trim()
    },
    remove,
  }
}
