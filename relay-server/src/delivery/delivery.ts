/**
 * Pushes messages to subscribers in order, and repeats each push until it is acknowledged. An acknowledgement removes
 * the message from the client's inbox. A subscription is a cursor over the topic's messages, so a slow reader needs no
 * queue.
 */

import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Connection } from '@heliograph/shared/server/transport/connection'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Accepted, Client, Mailbox, Message } from '../mailbox/mailbox.ts'
import type { RelayMetrics } from '../metrics.ts'
import { createPushWriter, pushHead, subscriptionId } from './push.ts'

/** Maximum number of messages per read of the mailbox. */
const PAGE = 64

/**
 * Number of messages whose encoded frames are cached, because about this many are pushed to many subscribers at once.
 */
const MESSAGES_TOGETHER = 8

/**
 * A socket and its client. Push ids have 15 digits, because clients require them below 2^53, and are unique per socket.
 */
export type Peer = {
  client: Client
  /** The accounts charged for the client's messages and subscriptions. */
  payers: Payers
  connection: Pick<Connection, 'isOpen' | 'send' | 'sendBytes' | 'hasRoom' | 'charge'>
  subscriptions: Subscription[]
  /** Unacknowledged pushes in the order of push ids. Usually the first is acknowledged next. Empty for idle peers. */
  unacknowledged: Delivery[]
  /** Topic of the peer's last publish, and usually of its next publish: see `scanPublish`. */
  publishesTo: string
  lastPushId: number
  /** True while the peer has unacknowledged pushes that are checked for their timeout. */
  isAwaited: boolean
}

export type Subscription = {
  peer: Peer
  topic: string
  prefix: RelayPrefix
  /**
   * The common part of all pushes (see push.ts) and the handler of acknowledgements. Undefined until the first push,
   * and again after the socket repeats `subscribe`.
   */
  pushing: { head: Buffer; acknowledge: ReturnType<Mailbox['acknowledger']> } | undefined
  /** Sequence number of the last message pushed. */
  cursor: number
  /** Last sequence number before the subscription. Earlier messages are read from the mailbox. */
  since: number
  unacknowledged: number
  /** True while messages may be pushed: from the response to `subscribe` until the subscription ends. */
  isReady: boolean
  /** True if there may be messages after the cursor. */
  isBehind: boolean
  isPumping: boolean
}

/** A push that is not acknowledged yet. */
export type Delivery = {
  pushId: number
  subscription: Subscription
  seq: number
  publishedAt: number
  sentAt: number
}

/** True if the message was published during the subscription. */
const isLive = ({ seq, subscription }: Delivery): boolean => seq > subscription.since

/** Returns the index of the delivery with that push id, or -1. */
const indexOf = ({ unacknowledged }: Peer, pushId: number): number => {
  if (unacknowledged[0]?.pushId === pushId) return 0
  let low = 0
  let high = unacknowledged.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((unacknowledged[middle]?.pushId ?? 0) < pushId) low = middle + 1
    else high = middle
  }
  return unacknowledged[low]?.pushId === pushId ? low : -1
}

export type DeliveryOptions = {
  mailbox: Mailbox
  metrics: RelayMetrics
  log: Logger
  /** Maximum number of unacknowledged pushes per subscription. */
  window: number
  /** Milliseconds without an acknowledgement until a push is repeated. */
  redeliverAfter: number
  /** Returns the time of any monotonic clock in milliseconds. */
  monotonic?: () => number
  /** Returns Unix time in milliseconds. */
  unixTime?: () => number
}

export type Deliveries = {
  /**
   * Called for new messages on the topic. `message` is the next message; without it, the subscription reads the
   * mailbox.
   */
  offer: (subscription: Subscription, message?: Accepted) => void
  /**
   * Pushes messages until there are none or the peer has no room. An acknowledgement or a drained buffer resumes the
   * pushing.
   */
  pump: (subscription: Subscription) => void
  /** Handles an acknowledgement. Returns false if there is no unacknowledged push with that id. */
  acknowledge: (peer: Peer, pushId: number) => boolean
  /** Drops the state of a closed peer. */
  forget: (peer: Peer) => void
  /** Repeats pushes that are not acknowledged in time, and deliveries that failed. Called once a second. */
  redeliver: () => Promise<void>
}

export const createDeliveries = (options: DeliveryOptions): Deliveries => {
  const { mailbox, metrics, log, window, redeliverAfter } = options
  const { monotonic = () => performance.now(), unixTime = Date.now } = options
  const awaited = new Set<Peer>()
  /** Subscriptions whose messages could not be read. */
  const failed = new Set<Subscription>()
  /** Returns the seconds since a Unix time in ms, but at least 0, because the clock may be set back. */
  const secondsSince = (time: number): number => Math.max(unixTime() - time, 0) / 1000
  /** Time of `monotonic`, updated once a second: precise enough for timeouts, and no clock is read for a push. */
  let time = monotonic()

  const startAwaiting = (peer: Peer): void => {
    peer.isAwaited = true
    awaited.add(peer)
  }
  const stopAwaiting = (peer: Peer): void => {
    peer.isAwaited = false
    awaited.delete(peer)
  }

  const write = createPushWriter(MESSAGES_TOGETHER, message =>
    'entry' in message ? mailbox.textOf(message) : message.json,
  )

  const beginPushing = ({ prefix, peer, topic }: Subscription) => ({
    head: pushHead({ id: subscriptionId(topic, peer.client), topic, prefix }),
    acknowledge: mailbox.acknowledger(peer.client, topic),
  })

  const send = ({ pushId, subscription }: Delivery, message: Message | Accepted): void => {
    const { prefix, peer } = subscription
    subscription.pushing ??= beginPushing(subscription)
    const { head } = subscription.pushing
    // The frame is written when the connection is flushed. If the message is gone by then, nothing is sent, and the
    // delivery stays unacknowledged until `redeliver` removes it.
    peer.connection.sendBytes(() => write(pushId, head, prefix, message), head.length + message.size)
  }

  const push = (subscription: Subscription, message: Message | Accepted): void => {
    const { peer } = subscription
    peer.lastPushId += 1
    const { seq, publishedAt } = message
    const delivery = { pushId: peer.lastPushId, subscription, seq, publishedAt, sentAt: time }
    peer.unacknowledged.push(delivery)
    if (!peer.isAwaited) startAwaiting(peer)
    subscription.unacknowledged += 1
    subscription.cursor = message.seq
    send(delivery, message)
    metrics.deliveries.inc()
    metrics.deliverySeconds.observe(secondsSince(publishedAt))
  }

  /** Pushes one page of messages. */
  const step = async (subscription: Subscription): Promise<void> => {
    const { peer, topic, cursor, unacknowledged } = subscription
    const limit = Math.min(window - unacknowledged, PAGE)
    // Reset before the read, because a message that is offered during the read sets `isBehind` again.
    subscription.isBehind = false
    const messages = await mailbox.read(peer.client, topic, cursor, limit)
    for (const message of messages) {
      if (!subscription.isReady) return
      if (!peer.connection.hasRoom()) {
        subscription.isBehind = true
        return
      }
      push(subscription, message)
    }
    if (messages.length === limit) subscription.isBehind = true
  }

  const canTake = ({ isReady, isBehind, unacknowledged, peer }: Subscription): boolean =>
    isReady && isBehind && unacknowledged < window && peer.connection.hasRoom()

  const pump = async (subscription: Subscription): Promise<void> => {
    if (subscription.isPumping) return
    subscription.isPumping = true
    try {
      while (canTake(subscription)) await step(subscription)
    } catch (err) {
      subscription.isBehind = true
      failed.add(subscription)
      log.error({ err }, 'a delivery failed')
    } finally {
      subscription.isPumping = false
    }
  }

  /** True if no earlier message is pending and the peer has room. */
  const comesNext = ({ isBehind, isPumping, isReady, since, unacknowledged, peer }: Subscription, seq: number) =>
    isReady && !isBehind && !isPumping && seq > since && unacknowledged < window && peer.connection.hasRoom()

  const offer: Deliveries['offer'] = (subscription, message) => {
    if (message && (message.seq <= subscription.cursor || message.publisher === subscription.peer.client)) return
    if (message && message.expiresAt > unixTime() && comesNext(subscription, message.seq)) {
      push(subscription, message)
      return
    }
    // `pump` reads the message from the mailbox, which skips expired messages.
    subscription.isBehind = true
    void pump(subscription)
  }

  /** Removes a completed delivery and resumes its subscription if it was waiting for room. */
  const settle = (peer: Peer, at: number, { subscription }: Delivery): void => {
    if (at === 0) peer.unacknowledged.shift()
    else peer.unacknowledged.splice(at, 1)
    subscription.unacknowledged -= 1
    if (subscription.isBehind) void pump(subscription)
  }

  /**
   * Repeats a push with the same id, so that a late acknowledgement still counts. Removes the delivery if the message
   * is gone.
   */
  const repeat = async (peer: Peer, delivery: Delivery): Promise<void> => {
    const { subscription, seq, pushId } = delivery
    const [message] = await mailbox.read(peer.client, subscription.topic, seq - 1, 1)
    const at = indexOf(peer, pushId)
    if (at === -1) return
    if (message?.seq !== seq) return settle(peer, at, delivery)
    if (!peer.connection.hasRoom()) return
    delivery.sentAt = time
    send(delivery, message)
    metrics.redeliveries.inc()
  }

  return {
    offer,

    pump: subscription => void pump(subscription),

    acknowledge: (peer, pushId) => {
      const at = indexOf(peer, pushId)
      const delivery = peer.unacknowledged[at]
      if (!delivery) return false
      metrics.acknowledgements.inc()
      if (isLive(delivery)) metrics.acknowledgementSeconds.observe(secondsSince(delivery.publishedAt))
      const { subscription } = delivery
      subscription.pushing ??= beginPushing(subscription)
      void subscription.pushing.acknowledge(delivery.seq)
      settle(peer, at, delivery)
      return true
    },

    forget: stopAwaiting,

    redeliver: async () => {
      time = monotonic()
      const again = [...failed]
      failed.clear()
      for (const subscription of again) void pump(subscription)
      for (const peer of awaited) {
        const overdue = peer.unacknowledged.filter(({ sentAt }) => sentAt + redeliverAfter <= time)
        for (const delivery of overdue) await repeat(peer, delivery)
        if (peer.unacknowledged.length === 0) stopAwaiting(peer)
      }
    },
  }
}
