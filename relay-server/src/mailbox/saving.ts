/** Which of the messages that were taken in are safe, in the groups of the log that they were written with. */
import { type Found, isNew } from './intake.ts'
import type { Entry } from './topic.ts'

/** Messages that become safe together. */
type Group = { entries: Entry[]; written: Promise<void>; safe: Promise<void> }

const DONE = Promise.resolve()

export type SavingOptions = {
  /** Resolves when all that was taken in so far is durable: one promise for a group of the log. */
  save: () => Promise<void>
  /** Resolves as the promise does. Throws RpcError -32002 when it rejects. */
  durable: (written: Promise<void>) => Promise<void>
  /** Takes a message out that the disk refused. */
  forget: (entry: Entry) => void
  /** The last message that was safe at the start. */
  last: number
}

export const createSaving = ({ save, durable, forget, last }: SavingOptions) => {
  let lastSafe = last
  let group: Group = { entries: [], written: DONE, safe: DONE }
  /** Groups that are not safe yet, one or two as a rule. */
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

  /** Resolves when messages that were taken in before, and are repeated now, are safe. */
  const safeWith = async (repeated: readonly Entry[]): Promise<void> => {
    const groups = [...unsafe].filter(({ entries }) => repeated.some(entry => entries.includes(entry)))
    await Promise.all([group, ...groups].map(({ safe }) => safe))
  }

  return {
    /** Resolves when these messages are safe, with those that they repeat. Throws RpcError -32002. */
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
    /** The last message that is safe; messages are handed out up to it. */
    lastSafe: (): number => lastSafe,
  }
}
