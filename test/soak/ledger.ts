/**
 * Ledger of a topic: published, accepted and delivered messages, numbered from 0. A topic's messages come in order, so an
 * accepted message is lost if a later one was delivered before it could have expired. If the first later one came after
 * that, because the clients or the relay had to wait for the processor, the message may have expired on time.
 */

/** Milliseconds by which a delivery may come after the ttl: the message is on its way meanwhile. */
const TRANSIT = 3000

export type Ledger = {
  /** Notes that the next message is sent. Returns its number. */
  publish: () => number
  accept: (number: number) => void
  deliver: (number: number) => void
  /** Accepted messages that were not delivered and have not expired. */
  missing: () => number
  /** Accepted messages that were not delivered although a later one was, before they could have expired. */
  lost: () => number
  /** Accepted messages that were not delivered and are not lost, since they may have expired before a later one came. */
  expired: () => number
  counts: { published: number; accepted: number; delivered: number; outOfOrder: number; late: number }
}

/** Times are in Unix milliseconds. `passedAt` is when the first later message was delivered. */
type Message = { sentAt: number; acceptedAt: number | undefined; isDelivered: boolean; passedAt: number }

/** `ttl` in ms. A message that is delivered again is in order if it was delivered before. */
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
