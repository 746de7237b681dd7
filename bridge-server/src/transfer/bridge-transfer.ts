/** Moves the queued frames of a bridge between a data folder and Redis. */
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import { each } from '@heliograph/shared/server/transfer/each'
import type { Tally } from '@heliograph/shared/server/transfer/tally'
import type { Ends, Transfer } from '@heliograph/shared/server/transfer/transfer'
import { type BridgeConfig, bridgeRows } from '../config.ts'
import { FRAMES, type StoredFrame } from '../frame-store.ts'
import { topicsOf } from '../redis/topic-script.ts'
import { MICROSECONDS, numberFrames, readFrames, restoreFrames } from './frames.ts'

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
