/** Tracks which accepted messages are durable, by the groups of the log in which they were written. */
import { type Found, isNew } from './intake.ts'
import type { Entry } from './topic.ts'

/** Messages written together. */
type Group = { entries: Entry[]; written: Promise<void>; safe: Promise<void> }

const DONE = Promise.resolve()

export type SavingOptions = {
  /** Resolves when everything accepted so far is durable. All calls for a group of the log return the same promise. */
  save: () => Promise<void>
  /** Resolves with the promise. Rejects with RpcError -32002 if it rejects. */
  durable: (written: Promise<void>) => Promise<void>
  /** Removes a message whose write failed. */
  forget: (entry: Entry) => void
  /** Highest sequence number that is durable at start. */
  last: number
}

export const createSaving = ({ save, durable, forget, last }: SavingOptions) => {
  let lastSafe = last
  let group: Group = { entries: [], written: DONE, safe: DONE }
  /** Groups that are not durable yet, usually one or two. */
  const unsafe = new Set<Group>()

  const settle = async (settled: Group): Promise<void> => {
    try {
      await durable(settled.written)
    } catch (refusal) {
      for (const entry of settled.entries) forget(entry)
      throw refusal
    } finally {
      unsafe.delete(settled)
    }
    lastSafe = Math.max(lastSafe, settled.entries.at(-1)?.seq ?? 0)
  }

  /** Resolves when the current group and the groups of repeated messages are durable. */
  const safeWith = async (repeated: readonly Entry[]): Promise<void> => {
    const groups = [...unsafe].filter(({ entries }) => repeated.some(entry => entries.includes(entry)))
    await Promise.all([group, ...groups].map(({ safe }) => safe))
  }

  return {
    /** Resolves when these messages and those that they repeat are durable. Throws RpcError -32002. */
    safe: (all: readonly Found[]): Promise<void> => {
      if (all.every(({ entry }) => entry.seq <= lastSafe)) return Promise.resolve()
      const written = save()
      if (group.written !== written) {
        group = { entries: [], written, safe: DONE }
        unsafe.add(group)
        group.safe = settle(group)
      }
      for (const found of all) if (isNew(found)) group.entries.push(found.entry)
      if (all.every(isNew)) return group.safe
      return safeWith(all.filter(found => !isNew(found)).map(({ entry }) => entry))
    },
    /** Highest durable sequence number. Later messages are not delivered yet. */
    lastSafe: (): number => lastSafe,
  }
}
