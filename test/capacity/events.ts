/** A queue of events, ordered by time. */

export type Events<T> = {
  add: (at: number, event: T) => void
  /** Removes and returns the earliest event. */
  next: () => { at: number; event: T } | undefined
}

type Entry<T> = { at: number; event: T }

/**
 * Creates a queue as a binary heap: the children of index n are at 2n + 1 and 2n + 2, and never earlier than their
 * parent.
 */
export const createEvents = <T>(): Events<T> => {
  const heap: Entry<T>[] = []
  const timeAt = (place: number): number => heap[place]?.at ?? Number.POSITIVE_INFINITY

  const swap = (a: number, b: number): void => {
    const [first, second] = [heap[a], heap[b]]
    if (!first || !second) return
    heap[a] = second
    heap[b] = first
  }

  return {
    add: (at, event) => {
      let place = heap.push({ at, event }) - 1
      for (let parent = (place - 1) >> 1; place > 0 && timeAt(parent) > at; parent = (place - 1) >> 1) {
        swap(place, parent)
        place = parent
      }
    },
    next: () => {
      const first = heap[0]
      const last = heap.pop()
      if (!first || !last || heap.length === 0) return first
      heap[0] = last
      for (let place = 0; ; ) {
        const left = 2 * place + 1
        const child = timeAt(left + 1) < timeAt(left) ? left + 1 : left
        if (timeAt(child) >= timeAt(place)) return first
        swap(place, child)
        place = child
      }
    },
  }
}
