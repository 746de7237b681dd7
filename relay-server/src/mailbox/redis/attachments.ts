/** Values that the hub attaches to topics, and the channels of these topics, which tell of messages at other servers. */
import type { Redis } from '@heliograph/shared/server/redis/redis'
import type { Arrivals } from './arrivals.ts'
import { channelOf } from './topic-script.ts'

export type AttachmentsOptions = {
  redis: Redis
  /** Id of this server. */
  origin: string
  onMessages: (topic: string) => void
  arrivals: Arrivals
  /** Logs a failure. */
  quietly: (work: Promise<unknown>) => Promise<void>
}

export const createAttachments = ({ redis, origin, onMessages, arrivals, quietly }: AttachmentsOptions) => {
  const attached = new Map<string, unknown>()
  /** Resolves once messages of the topic's channel arrive. */
  const channels = new Map<string, Promise<void>>()

  /** Unsubscriptions under way. The client library would lose a subscription that is made meanwhile. */
  const ending = new Map<string, Promise<void>>()

  const listen = async (topic: string): Promise<void> => {
    await ending.get(topic)
    await redis.subscribe(redis.channel(channelOf(topic)), from => {
      if (from === origin) return
      arrivals.told(topic)
      onMessages(topic)
    })
  }
  redis.onGap(() => {
    for (const topic of attached.keys()) onMessages(topic)
  })

  /** Listens again if that failed before. */
  const listening = (topic: string): Promise<void> => {
    const known = channels.get(topic)
    if (known || !attached.has(topic)) return known ?? Promise.resolve()
    const started = listen(topic)
    channels.set(topic, started)
    started.catch(() => {
      if (channels.get(topic) === started) channels.delete(topic)
    })
    return started
  }

  return {
    get: (topic: string): unknown => attached.get(topic),
    /** Undefined detaches. */
    set: (topic: string, what: unknown): void => {
      if (what !== undefined) {
        attached.set(topic, what)
        listening(topic).catch(() => undefined)
        return
      }
      attached.delete(topic)
      arrivals.forget(topic)
      const listened = channels.get(topic)
      if (!listened) return
      channels.delete(topic)
      const end = quietly(listened.then(() => redis.unsubscribe(redis.channel(channelOf(topic))))).finally(() => {
        if (ending.get(topic) === end) ending.delete(topic)
      })
      ending.set(topic, end)
    },
    /** Resolves once messages of the topic are told, if it has an attachment. Rejects with RedisUnavailable. */
    listening,
  }
}
