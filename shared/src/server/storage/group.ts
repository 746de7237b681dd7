/** Group commit: all that is appended in a turn of the event loop succeeds or fails together. */
import type { Place } from './blocks.ts'

export type Group = {
  /** Settles when the group is durable, or was refused. */
  promise: Promise<void>
  /** As `promise`, but resolves in either case. */
  noted: Promise<void>
  resolve: () => void
  reject: (thrown: unknown) => void
  /** Places that had a record before, in the order in which they got another. */
  replaced: { place: Place; before: Place }[]
}

export const newGroup = (): Group => {
  const settling = { resolve: () => {}, reject: (_: unknown) => {} }
  const promise = new Promise<void>((resolve, reject) => Object.assign(settling, { resolve, reject }))
  return { promise, noted: promise.catch(() => undefined), ...settling, replaced: [] }
}

/** The group is durable: the records that were replaced are released. */
export const settle = ({ replaced, resolve }: Group, release: (place: Place) => void): void => {
  for (const { before } of replaced) release(before)
  resolve()
}

/** The disk refused the group: places that had a record before have that one again. */
export const refuse = ({ replaced, reject }: Group, thrown: unknown, release: (place: Place) => void): void => {
  for (const { place, before } of replaced.reverse()) {
    const isReleased = place.length === 0
    release(place)
    if (isReleased) release(before)
    else Object.assign(place, before)
  }
  reject(thrown)
}
