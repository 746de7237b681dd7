/**
 * The queue in Redis, for any number of bridges. Redis stores all queued frames; a bridge only knows its own
 * subscribers. New frames, including the bridge's own, arrive on their topic's channel, so that all bridges send them
 * in the same order.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createAccounts, loadAccountScripts } from '@heliograph/shared/server/limits/redis-accounts'
import type { Shares } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Nodes } from '@heliograph/shared/server/redis/nodes'
import { type Redis, RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import { createMarks, createRounds, SHARDS, shardOf } from '@heliograph/shared/server/redis/shards'
import {
  type FrameQueue,
  NO_SESSION,
  type Page,
  type QueuedFrame,
  type QueueLimits,
  type Subscribers,
  spentShare,
} from '../frame-queue.ts'
import { createAppending } from './appending.ts'
import { createChannels } from './channels.ts'
import { createOutbox } from './outbox.ts'
import { createRemovals } from './removals.ts'
import { type Answer, callTopic, type FrameRecord, readIn, readShard, recordIn, topicScript } from './topic-script.ts'
import { createTotals } from './totals.ts'

/** Bytes after which a page ends. The next page is read once this one has been sent to the subscriber. */
const PAGE_BYTES = 256 * 1024
/** Maximum number of topics per shard from which one `tick` removes expired frames. */
const SWEEP_TOPICS = 100
const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)
/** Milliseconds between attempts to remove confirmed frames while the bridge stops. */
const RETRY_AFTER = 100
/** Maximum number of attempts to remove confirmed frames while the bridge stops. */
const LAST_ATTEMPTS = 5
/** Milliseconds for which a payer's account is kept after its last frame has expired. */
const SLACK = 60_000
/** Maximum bytes of all frames in the outbox, which stay in memory while Redis does not answer. */
const OUTBOX_BYTES = 64 * 1024 * 1024

export type RedisQueueOptions = {
  redis: Redis
  nodes: Nodes
  limits: QueueLimits
  shares: Shares
  /** Milliseconds until a frame expires. */
  life: number
  log: Logger
  /** Called with the number of expired frames that this bridge removed. */
  onExpired: (frames: number) => void
}

/** Yields frames, and frees each frame's text once it was used, because Redis has it. */
const used = function* (frames: Iterable<QueuedFrame>): Generator<QueuedFrame> {
  for (const frame of frames)
    try {
      yield frame
    } finally {
      frame.text = undefined
    }
}

/** Opens the queue. Throws RedisUnavailable. */
export const openRedisQueue = async (options: RedisQueueOptions): Promise<FrameQueue> => {
  const { redis, nodes, limits, shares, life, log, onExpired } = options
  const totals = createTotals(limits)
  const nextShards = createRounds(nodes)
  const accounts = createAccounts({ redis, prefix: 'bridge', limits: shares.limits, lifetime: life + SLACK })
  let subscribers: Subscribers = { deliver: () => false, catchUp: () => undefined }
  let outboxBytes = 0
  let isTicking = false

  /** Logs a failure instead of rejecting, for work that `tick` repeats. */
  const quietly = (work: Promise<unknown>): void =>
    void work.catch(err => log.warn({ err }, 'a change could not be stored in Redis'))

  const note = (topic: string, { totals: sums, expired, freed, values }: Answer): Answer['values'] => {
    totals.note(shardOf(topic), sums)
    if (expired > 0) onExpired(expired)
    for (const { payer, resource, amount } of freed) accounts.give(payer, resource, amount)
    if (freed.length > 0) quietly(accounts.settle())
    return values
  }

  const call = async (name: Parameters<typeof callTopic>[1], topic: string, args: readonly (string | number)[]) =>
    note(topic, await callTopic(redis, name, topic, life, args))

  const frameOf = (topic: string, { seq, publisher, text }: FrameRecord): QueuedFrame => {
    const [node, session] = publisher.split(':')
    return { seq, topic, publisher: node === nodes.id ? Number(session) : NO_SESSION, text }
  }

  const channels = createChannels(redis, (topic, message) => {
    const { before, ...record } = recordIn(message)
    for (const one of used([frameOf(topic, record)])) subscribers.deliver(one, before)
  })

  const removals = createRemovals(async (topic, seqs) => {
    await call('remove', topic, seqs)
  })

  const append = createAppending({ redis, nodes, accounts, totals, life, log, note })
  const outbox = createOutbox(append)

  const readPage = async (topic: string, after: number): Promise<Page> => {
    await channels.open(topic)
    const { records, end } = readIn(await call('read', topic, [after, PAGE_BYTES]))
    const frames = records.filter(({ seq }) => !removals.has(topic, seq)).map(record => frameOf(topic, record))
    return { frames: used(frames), end }
  }

  const read = async (topic: string, after: number): Promise<Page> => {
    try {
      return await readPage(topic, after)
    } catch (err) {
      if (!(err instanceof RedisUnavailable)) log.error({ err }, 'a topic could not be read')
      throw err
    }
  }

  const noteMark = createMarks(nodes.recovery.lost)

  const sweepShard = async (shard: number): Promise<void> => {
    const { totals: sums, due, mark } = await readShard(redis, shard, life, SWEEP_TOPICS)
    totals.note(shard, sums)
    noteMark(shard, mark)
    for (const topic of due) await call('sweep', topic, [])
  }

  await Promise.all([redis.load(topicScript), loadAccountScripts(redis)])
  await Promise.all(ALL_SHARDS.map(sweepShard))

  return {
    serve: to => {
      subscribers = to
      redis.onGap(to.catchUp)
    },

    publish: publication => {
      const { payers, text } = publication
      const size = Buffer.byteLength(text)
      const spent = spentShare(shares, payers, size)
      if (spent) return { spent }
      if (outboxBytes + size > OUTBOX_BYTES) return 'storageUnavailable'
      outboxBytes += size
      shares.take(payers, 'messages', 1)
      shares.take(payers, 'bytes', size)
      return outbox.add(publication).finally(() => {
        outboxBytes -= size
        shares.give(payers, 'messages', 1)
        shares.give(payers, 'bytes', size)
      })
    },

    read,
    detach: channels.close,
    textOf: ({ text }) => text,
    remove: ({ topic, seq }) => removals.add(topic, seq),
    keep: ({ topic, seq }) => !removals.has(topic, seq),

    tick: async () => {
      if (isTicking) return
      isTicking = true
      try {
        await Promise.all([removals.retry(), channels.tidy(), accounts.settle(), ...nextShards().map(sweepShard)])
      } catch (err) {
        if (!(err instanceof RedisUnavailable)) throw err
        log.warn({ err }, 'Redis did not answer')
      } finally {
        isTicking = false
      }
    },

    size: totals.size,
    stored: () => totals.size().frames,
    settled: outbox.settled,

    close: async () => {
      await outbox.settled()
      for (let attempt = 1; attempt <= LAST_ATTEMPTS && !(await removals.retry()); attempt++) await pause(RETRY_AFTER)
      await accounts.settle().catch(() => undefined)
    },
  }
}
