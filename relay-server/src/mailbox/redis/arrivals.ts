/**
 * Measures the delay of messages that another server accepted, from publishing there to reading here. A short delay is
 * only as exact as the clocks of the two machines.
 */
import type { Message } from '../mailbox.ts'

export type Arrivals = {
  /** Called when another server has announced a new message on the topic's channel. */
  told: (topic: string) => void
  forget: (topic: string) => void
  /** Called after a read with the topic's newest message, if the read returned one. */
  read: (topic: string, newest: Message | undefined) => void
}

/** Calls `observe` with a delay in seconds, once per topic for all messages announced since its last read. */
export const createArrivals = (observe: (seconds: number) => void, now: () => number): Arrivals => {
  /** Topics with announced messages of other servers that were not read yet. */
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
