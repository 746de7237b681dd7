/**
 * Ledger of a topic's messages, numbered from 0: published, accepted and delivered. Messages of a topic arrive in
 * order, so an accepted message is lost if a later one was delivered before it could have expired. If the first later
 * one arrived after that, for example because a process stalled, the message may have expired on time.
 */

/** Milliseconds by which a delivery may exceed the ttl, because the message is in transit meanwhile. */
const TRANSIT = 3000

export type Ledger = {
  /** Records that the next message is sent. Returns its number. */
  publish: () => number
  accept: (number: number) => void
  deliver: (number: number) => void
  /** Returns the number of accepted messages that were not delivered and have not expired. */
  missing: () => number
  /**
   * Returns the number of accepted messages that were not delivered, although a later one arrived before they could
   * have expired.
   */
  lost: () => number
  /**
   * Returns the number of accepted messages that were not delivered, but may have expired before a later one arrived.
   */
  expired: () => number
  counts: { published: number; accepted: number; delivered: number; outOfOrder: number; late: number }
}

/** Times are in Unix milliseconds. `passedAt` is the time at which the first later message was delivered. */
type Message = { sentAt: number; acceptedAt: number | undefined; isDelivered: boolean; passedAt: number }

/** Creates a ledger. `ttl` is in ms. A repeated delivery of a message counts as in order. */
export const createLedger = (ttl: number, now: () => number = Date.now): Ledger => {
  const messages: Message[] = []
  let last = -1
  const counts = { published: 0, accepted: 0, delivered: 0, outOfOrder: 0, late: 0 }

  const isLost = ({ sentAt, passedAt }: Message): boolean => passedAt < sentAt + ttl

  const count = (suits: (message: Message) => boolean): number =>
    messages.filter(message => message.acceptedAt !== undefined && !message.isDelivered && suits(message)).length

  return {
    publish: () => {
      counts.published += 1
      const message = { sentAt: now(), acceptedAt: undefined, isDelivered: false, passedAt: Number.POSITIVE_INFINITY }
      return messages.push(message) - 1
    },
    accept: number => {
      const message = messages[number]
      if (!message) return
      counts.accepted += 1
      message.acceptedAt = now()
    },
    deliver: number => {
      const message = messages[number]
      if (!message) return
      const { acceptedAt, isDelivered } = message
      if (acceptedAt !== undefined && now() > acceptedAt + ttl + TRANSIT) counts.late += 1
      if (!isDelivered) {
        counts.delivered += 1
        if (number < last) counts.outOfOrder += 1
      }
      message.isDelivered = true
      for (const passed of messages.slice(last + 1, number)) passed.passedAt = now()
      last = Math.max(last, number)
    },
    missing: () => count(({ acceptedAt = 0 }) => acceptedAt + ttl > now()),
    lost: () => count(isLost),
    expired: () => count(message => !isLost(message) && message.sentAt + ttl <= now()),
    counts,
  }
}
