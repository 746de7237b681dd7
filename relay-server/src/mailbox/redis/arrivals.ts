/**
 * Delay of messages that another server took: from publishing there to reading here. Clocks of two machines differ, so short
 * delays are as exact as the clocks.
 */
import type { Message } from '../mailbox.ts'

export type Arrivals = {
  /** Another server told of a new message. */
  told: (topic: string) => void
  forget: (topic: string) => void
  /** Called with the newest message of a topic that was read. */
  read: (topic: string, newest: Message | undefined) => void
}

/** `observe` is called with seconds, once for the messages of a topic that were told of together. */
export const createArrivals = (observe: (seconds: number) => void, now: () => number): Arrivals => {
  /** Topics with messages of other servers that were not read yet. */
  const waiting = new Set<string>()
  return {
    told: topic => {
      waiting.add(topic)
    },
    forget: topic => {
      waiting.delete(topic)
    },
    read: (topic, newest) => {
      if (newest && waiting.delete(topic)) observe(Math.max(now() - newest.publishedAt, 0) / 1000)
    },
  }
}
