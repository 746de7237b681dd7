/**
 * Stores the values that the hub attaches to topics. Subscribes to the channels of these topics, on which other servers
 * announce messages.
 */
import type { Redis } from '@heliograph/shared/server/redis/redis'
import type { Arrivals } from './arrivals.ts'
import { channelOf } from './topic-script.ts'

export type AttachmentsOptions = {
  redis: Redis
  /** Id of this server, whose own announcements are ignored. */
  origin: string
  /** Called when a topic with an attachment has messages to read, or may have. */
  onMessages: (topic: string) => void
  arrivals: Arrivals
  /** Resolves when the work has succeeded or failed. Logs the failure. */
  quietly: (work: Promise<unknown>) => Promise<void>
}

export const createAttachments = ({ redis, origin, onMessages, arrivals, quietly }: AttachmentsOptions) => {
  const attached = new Map<string, unknown>()
  /** By topic: resolves once this server is subscribed to the topic's channel. */
  const channels = new Map<string, Promise<void>>()

  /** Unsubscriptions in flight, by topic. The client library would lose a subscription that is made meanwhile. */
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

  /** Resolves once this server listens to the topic's channel. Subscribes again if the previous attempt failed. */
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
    /** Attaches a value, or detaches the topic's value if `what` is undefined. */
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
    /** If the topic has an attachment, resolves once its channel is subscribed. Rejects with RedisUnavailable. */
    listening,
  }
}
