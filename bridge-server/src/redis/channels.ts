/**
 * The channels of the topics that have subscribers here. One command at a time concerns a channel, because a new
 * subscription during an unsubscription would be lost.
 */
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { channelOf } from './topic-script.ts'

type Channel = { topic: string; isWanted: boolean; isOpen: boolean; work: Promise<void> | undefined }

export const createChannels = (redis: Redis, onMessage: (topic: string, message: string) => void) => {
  const channels = new Map<string, Channel>()

  /** Opens or closes a channel until it is as wanted. */
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
    /** Resolves once messages of the channel arrive, and rejects if Redis refuses that. */
    open: async (topic: string): Promise<void> => {
      const channel = channels.get(topic) ?? { topic, isWanted: true, isOpen: false, work: undefined }
      channels.set(topic, channel)
      channel.isWanted = true
      if (!channel.isOpen || channel.work) await start(channel)
    },
    /** The channel is closed with the next `tidy`, unless it is opened before. */
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
