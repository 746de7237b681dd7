/** Tracks which accepted messages are durable. Messages of one write of the log become durable together. */
import { type Found, isNew } from './intake.ts'
import type { Commit } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Entry } from './topic.ts'

/** A commit and its messages. */
type Group = { entries: Entry[]; commit: Commit }

export type SavingOptions = {
  messages: Pick<MessageLog, 'save' | 'beforeWrite'>
  /** Resolves with the promise. Rejects with RpcError -32002 if it rejects. */
  stored: (written: Promise<void>) => Promise<void>
  /** Removes a message whose write failed. */
  forget: (entry: Entry) => void
  /** Highest sequence number that is durable at start. */
  last: number
}

export const createSaving = ({ messages, stored, forget, last }: SavingOptions) => {
  let lastDurable = last
  /** The group of the next write, once it has messages. */
  let open: Group | undefined
  /** Groups that are not durable yet, usually one or two. */
  const pending = new Set<Group>()

  messages.beforeWrite(() => {
    open = undefined
  })

  const settle = async (entries: readonly Entry[], written: Promise<void>): Promise<void> => {
    try {
      await stored(written)
    } catch (refusal) {
      for (const entry of entries) forget(entry)
      throw refusal
    }
    lastDurable = Math.max(lastDurable, entries.at(-1)?.seq ?? 0)
  }

  const openGroup = (): Group => {
    const entries: Entry[] = []
    const group = { entries, commit: { durable: settle(entries, messages.save()) } }
    const remove = (): void => {
      pending.delete(group)
    }
    pending.add(group)
    group.commit.durable.then(remove, remove)
    return group
  }

  /** The commit of messages of several groups. */
  const commitOfAll = (entries: readonly Entry[]): Commit => {
    const groups = [...pending].filter(group => entries.some(entry => group.entries.includes(entry)))
    return { durable: Promise.all(groups.map(({ commit }) => commit.durable)).then(() => undefined) }
  }

  return {
    /** The commit of these messages and of those that they repeat. */
    commitOf: (all: readonly Found[]): Commit => {
      for (const found of all) {
        if (!isNew(found)) continue
        open ??= openGroup()
        open.entries.push(found.entry)
      }
      return open && all.every(isNew) ? open.commit : commitOfAll(all.map(({ entry }) => entry))
    },
    /** Highest durable sequence number. Later messages are not delivered yet. */
    lastDurable: (): number => lastDurable,
  }
}
