/**
 * The mailbox on Redis, for any number of servers. Redis stores everything; a server only knows its own sockets. Reads
 * new messages from Redis when they are announced on their topic's channel.
 */

import { createAccounts, loadAccountScripts } from '@heliograph/shared/server/limits/redis-accounts'
import { NOBODY, type Shares } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Nodes } from '@heliograph/shared/server/redis/nodes'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { createMarks, createRounds, SHARDS, shardOf } from '@heliograph/shared/server/redis/shards'
import {
  type Accepted,
  type Client,
  isNamed,
  type Mailbox,
  type MailboxLimits,
  type Message,
  type Publication,
} from '../mailbox.ts'
import { createAppending } from './appending.ts'
import { createArrivals } from './arrivals.ts'
import { createAttachments } from './attachments.ts'
import { addTopic, createClientTopics } from './client-topics.ts'
import { createPendingAcknowledgements } from './pending-acknowledgements.ts'
import { asRefusal, createRefusals } from './refusals.ts'
import { createSubscribing } from './subscribing.ts'
import { type Ask, callTopic, loadTopicScripts, messagesIn, readShard, stringsIn } from './topic-script.ts'
import { createTotals } from './totals.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** Maximum number of topics per shard from which one sweep removes expired messages and inactive clients. */
const SWEEP_TOPICS = 100
const ignore = (): void => undefined
const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)

export type RedisMailboxOptions = {
  redis: Redis
  nodes: Nodes
  limits: MailboxLimits
  shares: Shares
  log: Logger
  /** Called when a topic with an attachment has messages to read, or may have. */
  onMessages: (topic: string) => void
  /** Called with the number and bytes of expired messages that this server removed. */
  onExpired: (messages: number, bytes: number) => void
  /** Called with the seconds from publishing at another server to reading here. */
  onArrival?: (seconds: number) => void
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

/** Resolves with the work's result. Rejects with RpcError -32002 if Redis is unavailable. */
const refusing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (thrown) {
    throw asRefusal(thrown)
  }
}

/** Opens the mailbox. Throws RedisUnavailable. */
export const openRedisMailbox = async (options: RedisMailboxOptions): Promise<Mailbox> => {
  const { redis, nodes, limits, shares, log, onMessages, onExpired, onArrival = ignore, now = Date.now } = options
  const subscriptionMs = limits.subscriptionDays * DAY
  const unusedMs = limits.unusedHours * HOUR
  const lifetime = subscriptionMs + DAY
  const totals = createTotals(limits)
  const nextShards = createRounds(nodes)
  const accounts = createAccounts({ redis, prefix: 'relay', limits: shares.limits, lifetime })
  const clientTopics = createClientTopics(redis, limits.clientTopics, lifetime)
  const refusals = createRefusals(limits, shares)

  /** Logs a failure instead of rejecting, for work that is repeated later or whose result nobody uses. */
  const quietly = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      err => log.warn({ err }, 'a change could not be stored in Redis'),
    )

  const ask: Ask = async (name, topic, args) => {
    const answer = await callTopic(redis, name, topic, now(), args)
    const { expired, freed, gone } = answer
    totals.note(shardOf(topic), answer.totals)
    if (expired.messages > 0) onExpired(expired.messages, expired.bytes)
    for (const { payer, resource, amount } of freed) accounts.give(payer, resource, amount)
    if (freed.length > 0) void quietly(accounts.settle())
    for (const client of gone) if (isNamed(client)) void quietly(clientTopics.remove(client, topic))
    return answer
  }

  const stored = { redis, nodes, ask, accounts, clientTopics, refusals, totals, limits, subscriptionMs, unusedMs }
  const append = createAppending({ ...stored, origin: nodes.id, now })
  const subscribing = createSubscribing(stored)
  const arrivals = createArrivals(onArrival, now)
  const attachments = createAttachments({ redis, origin: nodes.id, onMessages, arrivals, quietly })
  const pending = createPendingAcknowledgements(async (client, topic, seqs) => {
    await ask('acknowledge', topic, [client, ...seqs])
  })

  /** Reads a page of messages, including messages whose acknowledgement Redis does not have yet. */
  const readPage = async (client: Client, topic: string, after: number, limit: number): Promise<Message[]> =>
    messagesIn(topic, (await ask('read', topic, [client, after, limit])).value)

  const read = async (client: Client, topic: string, seq: number, limit: number): Promise<Message[]> => {
    const found: Message[] = []
    for (let after = seq; ; ) {
      const most = limit - found.length
      const page = await readPage(client, topic, after, most)
      found.push(...page.filter(message => !pending.has(client, topic, message.seq)))
      after = page.at(-1)?.seq ?? after
      // A page that is not full is the last page, so it ends with the topic's newest message.
      if (page.length < most) arrivals.read(topic, page.at(-1))
      if (page.length < most || found.length === limit) return found
    }
  }

  const noteMark = createMarks(nodes.recovery.lost)

  /** Records a shard's totals and mark. Returns some of its topics in which a message or a subscription has expired. */
  const look = async (shard: number): Promise<string[]> => {
    const { totals: sums, due, mark } = await readShard(redis, shard, now(), SWEEP_TOPICS)
    totals.note(shard, sums)
    noteMark(shard, mark)
    return due
  }

  const sweepShard = async (shard: number): Promise<void> => {
    for (const topic of await look(shard)) await ask('sweep', topic, [])
  }

  /**
   * Makes subscriptions read the topics of publications that may be stored without being in `accepted`: repeats, and
   * publications whose answer from Redis was lost.
   */
  const readLater = (publications: readonly Publication[]): void => {
    for (const topic of new Set(publications.map(({ topic }) => topic)))
      if (attachments.get(topic) !== undefined) onMessages(topic)
  }

  await Promise.all([loadTopicScripts(redis), redis.load(addTopic), loadAccountScripts(redis)])
  await Promise.all(ALL_SHARDS.map(look))

  return {
    append: (publisher, publications, payers = NOBODY) => {
      const accepted: Accepted[] = []
      // The response also waits for the publisher's earlier acknowledgements, which can be on another Redis primary:
      // after the response, a client may rely on them.
      const appended = append(publisher, publications, payers, accepted).finally(() => {
        if (accepted.length < publications.length) readLater(publications)
      })
      const done = Promise.all([appended, pending.stored(publisher)])
      return { accepted, commit: { durable: refusing(done.then(() => undefined)) } }
    },

    // Another server may have accepted messages in between. So no message is offered directly, and subscriptions read
    // the topic.
    announce: () => undefined,
    textOf: () => undefined,
    attached: attachments.get,
    attach: attachments.set,

    subscribe: (client, topic, payers = NOBODY) =>
      refusing(attachments.listening(topic).then(() => subscribing.subscribe(client, topic, payers))),
    unsubscribe: (client, topic) => refusing(subscribing.unsubscribe(client, topic)),
    clients: async topic => stringsIn((await refusing(ask('clients', topic, []))).value) as Client[],
    read: (client, topic, seq, limit) => refusing(read(client, topic, seq, limit)),
    acknowledge: pending.add,
    acknowledger: (client, topic) => seq => pending.add(client, topic, seq),

    sweep: async () => {
      await Promise.all([pending.retry(), accounts.settle(), ...nextShards().map(sweepShard)])
    },
    size: totals.size,
    close: () => quietly(subscribing.close()),
  }
}
