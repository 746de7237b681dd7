/** Group commit: all records appended in one turn of the event loop succeed or fail together. */
import type { Place } from './blocks.ts'

export type Group = {
  /** Resolves when the group is durable, rejects if its write failed. */
  promise: Promise<void>
  /** Like `promise`, but resolves in both cases. */
  noted: Promise<void>
  resolve: () => void
  reject: (thrown: unknown) => void
  /** Places whose record was replaced in this group, in order. */
  replaced: { place: Place; before: Place }[]
}

export const newGroup = (): Group => {
  const settling = { resolve: () => {}, reject: (_: unknown) => {} }
  const promise = new Promise<void>((resolve, reject) => Object.assign(settling, { resolve, reject }))
  return { promise, noted: promise.catch(() => undefined), ...settling, replaced: [] }
}

/** Called when the group is durable: releases the replaced records. */
export const settle = ({ replaced, resolve }: Group, release: (place: Place) => void): void => {
  for (const { before } of replaced) release(before)
  resolve()
}

/** Called when the group's write failed: restores the replaced records. */
export const refuse = ({ replaced, reject }: Group, thrown: unknown, release: (place: Place) => void): void => {
  for (const { place, before } of replaced.reverse()) {
    const isReleased = place.length === 0
    release(place)
    if (isReleased) release(before)
    else Object.assign(place, before)
  }
  reject(thrown)
}
