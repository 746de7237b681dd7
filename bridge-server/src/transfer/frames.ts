/** Reads and writes a bridge's frames, for a transfer between a data folder and Redis. */
import type { Redis } from '@heliograph/shared/server/redis/redis'
import type { Table } from '@heliograph/shared/server/storage/tables'
import type { StoredFrame } from '../frame-store.ts'
import { callTopic, type FrameRecord, readIn } from '../redis/topic-script.ts'

/** Microseconds in a millisecond: a sequence number in Redis is the time of arrival in microseconds. */
export const MICROSECONDS = 1000

/** Maximum number of frames per call, and of characters in their texts. A longer text gets its own call. */
const PAGE_FRAMES = 200
const PAGE_LENGTH = 512 * 1024
/** Bytes after which one call to read ends. */
const READ_BYTES = 1024 * 1024

/** A frame of a data folder: `key` is its sequence number there, `seq` its sequence number in Redis. */
export type Numbered = { key: number; seq: number }

/**
 * Returns the frames of each topic, in order. Numbers expired frames too, so that a repeated transfer gets the same
 * numbers.
 */
export const numberFrames = (table: Table<StoredFrame, number>): Map<string, Numbered[]> => {
  const topics = new Map<string, Numbered[]>()
  for (const [key, [topic, , at]] of table.entries()) {
    const frames = topics.get(topic) ?? []
    topics.set(topic, frames)
    frames.push({ key, seq: Math.max(at * MICROSECONDS, (frames.at(-1)?.seq ?? 0) + 1) })
  }
  return topics
}

export type TextOf = (key: number) => string | undefined

/** Adds frames of a topic to Redis. Leaves out frames that Redis already has. */
export const restoreFrames = async (redis: Redis, topic: string, life: number, frames: Numbered[], textOf: TextOf) => {
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
export const readFrames = async function* (redis: Redis, topic: string): AsyncGenerator<FrameRecord> {
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
