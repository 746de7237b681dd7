/** Moves the queued frames of a bridge between a data folder and Redis. */
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import type { Table } from '@heliograph/shared/server/storage/tables'
import { each } from '@heliograph/shared/server/transfer/each'
import type { Tally } from '@heliograph/shared/server/transfer/tally'
import type { Ends, Transfer } from '@heliograph/shared/server/transfer/transfer'
import { type BridgeConfig, bridgeRows } from '../config.ts'
import { FRAMES, type StoredFrame } from '../frame-store.ts'
import { callTopic, type FrameRecord, readIn, topicsOf } from '../redis/topic-script.ts'

/** Microseconds in a millisecond: a sequence number in Redis is the time of arrival in microseconds. */
const MICROSECONDS = 1000

/** Maximum number of frames per call, and of characters in their texts. A longer text gets its own call. */
const PAGE_FRAMES = 200
const PAGE_LENGTH = 512 * 1024
/** Bytes after which one call to read ends. */
const READ_BYTES = 1024 * 1024

/** A frame of a data folder: `key` is its sequence number there, `seq` its sequence number in Redis. */
type Numbered = { key: number; seq: number }

/**
 * Returns the frames of each topic, in order. Numbers expired frames too, so that a repeated transfer gets the same
 * numbers.
 */
const numberFrames = (table: Table<StoredFrame, number>): Map<string, Numbered[]> => {
  const topics = new Map<string, Numbered[]>()
  for (const [key, [topic, , at]] of table.entries()) {
    const frames = topics.get(topic) ?? []
    topics.set(topic, frames)
    frames.push({ key, seq: Math.max(at * MICROSECONDS, (frames.at(-1)?.seq ?? 0) + 1) })
  }
  return topics
}

type TextOf = (key: number) => string | undefined

/** Adds frames of a topic to Redis. Leaves out frames that Redis already has. */
const restoreFrames = async (redis: Redis, topic: string, life: number, frames: Numbered[], textOf: TextOf) => {
  let last = 0
  let page: (string | number)[] = []
  let length = 0
  const send = async (): Promise<void> => {
    if (page.length === 0) return
    const { values } = await callTopic(redis, 'restore', topic, life, [last, ...page])
    last = Number(values[0])
    page = []
    length = 0
  }
  for (const { key, seq } of frames) {
    const text = textOf(key)
    if (text === undefined) continue
    if (page.length >= 2 * PAGE_FRAMES || length + text.length > PAGE_LENGTH) await send()
    page.push(seq, text)
    length += text.length
  }
  await send()
}

/** Yields the frames of a topic in Redis, including expired frames. */
const readFrames = async function* (redis: Redis, topic: string): AsyncGenerator<FrameRecord> {
  // A lifetime as long as the time since 1970, so that no frame counts as expired.
  const life = Date.now()
  for (let after = 0; ; ) {
    const { values } = await callTopic(redis, 'read', topic, life, [after, READ_BYTES])
    const { records, end } = readIn(values)
    yield* records
    after = records.at(-1)?.seq ?? after
    if (end !== undefined) return
  }
}

/** Number of frames after which the export waits for its writes. */
const PAGE = 1000

const countFrame = (tally: Tally, text: string): void => {
  tally.moved('frames', 1)
  tally.moved('bytes', Buffer.byteLength(text))
}

const importOwn = async ({ store, redis, config, tally }: Ends<BridgeConfig>): Promise<void> => {
  const life = config.frameSeconds * 1000
  const oldest = (Date.now() - life) * MICROSECONDS
  const table = store.table<StoredFrame, number>(FRAMES)
  await each(numberFrames(table), async ([topic, frames]) => {
    const living = frames.filter(({ seq }) => seq > oldest)
    tally.expired('frames', frames.length - living.length)
    tally.moved('topics', living.length > 0 ? 1 : 0)
    await restoreFrames(redis, topic, life, living, key => {
      const text = table.get(key)?.[1]
      if (text !== undefined) countFrame(tally, text)
      return text
    })
  })
}

const exportOwn = async ({ store, redis, config, tally }: Ends<BridgeConfig>): Promise<void> => {
  const oldest = (Date.now() - config.frameSeconds * 1000) * MICROSECONDS
  const table = store.table<StoredFrame, number>(FRAMES)
  /** Sequence numbers in use. They are unique in a data folder, but in Redis only within a topic. */
  const keys = new Set<number>()
  let writes: Promise<void>[] = []

  const exportTopic = async (topic: string): Promise<void> => {
    let last = 0
    for await (const { seq, text } of readFrames(redis, topic)) {
      if (seq <= oldest) {
        tally.expired('frames', 1)
        continue
      }
      if (last === 0) tally.moved('topics', 1)
      let key = Math.max(seq, last + 1)
      while (keys.has(key)) key += 1
      keys.add(key)
      last = key
      countFrame(tally, text)
      writes.push(table.put(key, [topic, text, Math.floor(seq / MICROSECONDS)]))
      if (writes.length < PAGE) continue
      await Promise.all(writes)
      writes = []
    }
  }
  for (let shard = 0; shard < SHARDS; shard++)
    for (const topic of await topicsOf(redis, shard)) await exportTopic(topic)
  await Promise.all(writes)
}

export const bridgeTransfer: Transfer<typeof bridgeRows> = {
  prefix: 'BRIDGE',
  name: 'bridge',
  rows: bridgeRows,
  kinds: ['topics', 'frames', 'bytes', 'webhooks', 'calls'],
  isForeign: (_, files) => files.some(name => name.startsWith('messages-')),
  importOwn,
  exportOwn,
}
