/** Ledger of a topic: published, accepted and delivered messages, numbered from 0. */

/** Milliseconds after the ttl in which a delivery is still accepted, because the message was in transit. */
const TRANSIT = 3000

export type Ledger = {
  /** Records that the next message is sent. Returns its number. */
  publish: () => number
  accept: (number: number) => void
  deliver: (number: number) => void
  /** Accepted messages that were not delivered and have not expired at a time in ms. */
  missing: (time: number) => number
  /** Accepted messages that were never delivered, expired or not. */
  undelivered: () => number
  counts: { published: number; accepted: number; delivered: number; outOfOrder: number; late: number }
}

/** `ttl` in ms. A message that is delivered again is in order if it was delivered before. */
export const createLedger = (ttl: number): Ledger => {
  /** Unix time in ms at which each message was accepted; 0 if it was not. */
  const acceptedAt: number[] = []
  const isDelivered: boolean[] = []
  let last = -1
  const counts = { published: 0, accepted: 0, delivered: 0, outOfOrder: 0, late: 0 }

  const count = (suits: (acceptedAt: number) => boolean): number =>
    acceptedAt.reduce((sum, at, number) => sum + (at > 0 && !isDelivered[number] && suits(at) ? 1 : 0), 0)

  return {
    publish: () => {
      counts.published += 1
      isDelivered.push(false)
      return acceptedAt.push(0) - 1
    },
    accept: number => {
      counts.accepted += 1
      acceptedAt[number] = Date.now()
    },
    deliver: number => {
      const at = acceptedAt[number] ?? 0
      if (at > 0 && Date.now() > at + ttl + TRANSIT) counts.late += 1
      if (number > last) last = number
      else if (!isDelivered[number]) counts.outOfOrder += 1
      if (!isDelivered[number]) counts.delivered += 1
      isDelivered[number] = true
    },
    missing: time => count(at => at + ttl > time),
    undelivered: () => count(() => true),
    counts,
  }
}
