/** Stores published messages in Redis, and charges their payers. */

import { type Accounts, payerNames } from '@heliograph/shared/server/limits/redis-accounts'
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import type { Accepted, Client, MailboxLimits, Publication } from '../mailbox.ts'
import type { createRefusals } from './refusals.ts'
import { type Ask, argumentsOf, channelOf, stringsIn } from './topic-script.ts'
import type { createTotals } from './totals.ts'

export type AppendingOptions = {
  redis: Redis
  ask: Ask
  accounts: Accounts
  refusals: ReturnType<typeof createRefusals>
  totals: ReturnType<typeof createTotals>
  limits: MailboxLimits
  /** Id of this server. It is published on a topic's channel, so that a server ignores its own messages there. */
  origin: string
  subscriptionMs: number
  now: () => number
}

/** Returns the messages that are not repeats. `seqs` has their sequence numbers, and 0 for each repeat. */
const acceptedOf = (
  publisher: Client,
  publications: readonly Publication[],
  seqs: string[],
  publishedAt: number,
): Accepted[] =>
  seqs.flatMap((seq, index) => {
    const publication = publications[index]
    if (seq === '0' || !publication) return []
    const { json: _, ttl, ...rest } = publication
    const expiresAt = publishedAt + ttl * 1000
    return { ...rest, seq: Number(seq), publisher, publishedAt, expiresAt, entry: publication }
  })

const sizeOf = (messages: readonly { size: number }[]) => ({
  messages: messages.length,
  bytes: messages.reduce((sum, { size }) => sum + size, 0),
})

const NO_ROOM = { messages: 0, bytes: 0 }

export const createAppending = (options: AppendingOptions) => {
  const { redis, ask, accounts, refusals, totals, limits, origin, subscriptionMs, now } = options
  const { parts } = refusals

  /** Stores the messages of one topic, all or none. Resolves with the new ones. */
  const appendTo = async (topic: string, publisher: Client, publications: readonly Publication[], payers: Payers) => {
    const publishedAt = now()
    const channel = redis.channel(channelOf(topic))
    const asked = sizeOf(publications)
    const spent = await accounts.take(payers, asked)
    let accepted: Accepted[] = []
    try {
      // Repeats need no room, so they are accepted even if a share is used up.
      const room = spent ? NO_ROOM : totals.room()
      const args = [
        ...[publisher, subscriptionMs, limits.topicMessages, limits.topicBytes, room.messages, room.bytes],
        ...[channel, origin, payerNames(payers), parts.messages, parts.bytes],
        ...publications.flatMap(one => argumentsOf(publisher, one, publishedAt)),
      ]
      const answer = await totals.asking(asked, () => redis.storing(channel, () => ask('append', topic, args)))
      refusals.refuse(answer, spent)
      accepted = acceptedOf(publisher, publications, stringsIn(answer.value), publishedAt)
      return accepted
    } finally {
      const used = sizeOf(accepted)
      if (!spent && used.messages < asked.messages)
        accounts.giveBack(payers, { messages: asked.messages - used.messages, bytes: asked.bytes - used.bytes })
    }
  }

  /**
   * Stores messages and adds the new ones to `accepted`. Messages of several topics are stored topic by topic, and
   * removed again if one topic refuses them.
   */
  return async (
    publisher: Client,
    publications: readonly Publication[],
    payers: Payers,
    accepted: Accepted[],
  ): Promise<void> => {
    const topics = new Set(publications.map(({ topic }) => topic))
    try {
      for (const topic of topics) {
        const own = publications.filter(one => one.topic === topic)
        accepted.push(...(await appendTo(topic, publisher, own, payers)))
      }
    } catch (thrown) {
      await Promise.allSettled(accepted.map(({ topic, seq }) => ask('retract', topic, [seq])))
      throw thrown
    }
  }
}
