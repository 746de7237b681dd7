/**
 * Subscribes to the channels of topics that have subscribers on this bridge. A channel has one command in flight at a
 * time, because a subscription made during an unsubscription would be lost.
 */
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { channelOf } from './topic-script.ts'

type Channel = { topic: string; isWanted: boolean; isOpen: boolean; work: Promise<void> | undefined }

export const createChannels = (redis: Redis, onMessage: (topic: string, message: string) => void) => {
  const channels = new Map<string, Channel>()

  /** Subscribes or unsubscribes until the channel's state is as wanted. */
  const settle = async (channel: Channel): Promise<void> => {
    const { topic } = channel
    const name = redis.channel(channelOf(topic))
    try {
      while (channel.isWanted !== channel.isOpen) {
        if (channel.isWanted) await redis.subscribe(name, message => onMessage(topic, message))
        else await redis.unsubscribe(name)
        channel.isOpen = !channel.isOpen
      }
      if (!channel.isOpen) channels.delete(topic)
    } finally {
      channel.work = undefined
    }
  }

  const start = (channel: Channel): Promise<void> => {
    channel.work ??= settle(channel)
    return channel.work
  }

  return {
    /** Resolves once this bridge is subscribed to the topic's channel. Rejects if Redis refuses. */
    open: async (topic: string): Promise<void> => {
      const channel = channels.get(topic) ?? { topic, isWanted: true, isOpen: false, work: undefined }
      channels.set(topic, channel)
      channel.isWanted = true
      if (!channel.isOpen || channel.work) await start(channel)
    },
    /** Marks the channel as unwanted. The next `tidy` closes it, unless it is opened again before. */
    close: (topic: string): void => {
      const channel = channels.get(topic)
      if (channel) channel.isWanted = false
    },
    /** Closes channels that are no longer wanted. */
    tidy: async (): Promise<void> => {
      const unwanted = [...channels.values()].filter(({ isWanted }) => !isWanted)
      await Promise.all(unwanted.map(start))
    },
  }
}
