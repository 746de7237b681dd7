/**
 * Pushes: what waits for a subscriber goes out in order, again while nobody acknowledges it, and leaves the mailbox once
 * somebody does. A subscription is a cursor over its topic's messages, so a slow reader costs a number, not a queue.
 */
import type { Connection } from '@heliograph/shared/server/connection'
import type { Logger } from '@heliograph/shared/server/log'
import type { Payers } from '@heliograph/shared/server/shares'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Client, Mailbox, Message, Taken } from './mailbox/mailbox.ts'
import type { RelayMetrics } from './metrics.ts'
import { createPushWriter, pushHead } from './push.ts'
import { subscriptionId } from './subscription-id.ts'

/** Messages asked of the mailbox at once. */
const PAGE = 64

/** Messages that are on their way to many at the same time, as a rule. */
const MESSAGES_TOGETHER = 8

/** A socket and its client. Push ids are its own, whole numbers of 15 digits: clients want them below 2^53. */
export type Peer = {
  client: Client
  /** Who pays for what it stores. */
  payers: Payers
  connection: Pick<Connection, 'isOpen' | 'send' | 'sendBytes' | 'hasRoom' | 'charge'>
  subscriptions: Subscription[]
  /** In the order of their ids: mostly the first is the next to be answered, and idle peers have none. */
  unacknowledged: Delivery[]
  /** The topic of its last publish: it is mostly that of the next, whose text need not be looked at again. */
  publishesTo: string
  lastPushId: number
  /** It is among those that are looked at for what has been without an answer for too long. */
  isOwing: boolean
}

export type Subscription = {
  peer: Peer
  topic: string
  prefix: RelayPrefix
  /** From the first push on: what all pushes have in common, see push.ts, and what their answers lead to. */
  pushing: { head: Buffer; acknowledge: ReturnType<Mailbox['acknowledger']> } | undefined
  /** The last message pushed. */
  cursor: number
  /** The last message taken before it came: what waits of those is read. */
  since: number
  unacknowledged: number
  /** Its answer is out, and it has not ended. */
  isReady: boolean
  /** Something may wait after the cursor. */
  isBehind: boolean
  isPumping: boolean
}

/** A push that waits for its answer. */
export type Delivery = {
  pushId: number
  subscription: Subscription
  seq: number
  publishedAt: number
  sentAt: number
}

/** True if the message was published while the subscriber was there. */
const isLive = ({ seq, subscription }: Delivery): boolean => seq > subscription.since

/** Index of the delivery with that push id, or -1. */
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
  /** Pushes of one subscription that may be without an answer. */
  window: number
  /** Milliseconds without an answer after which a push is repeated. */
  redeliverAfter: number
  /** Milliseconds of any steady clock. */
  now?: () => number
  /** Milliseconds of Unix time. */
  today?: () => number
}

export type Deliveries = {
  /** Something new is on the topic: the message that comes next, unless it has been pushed, or what there is to read. */
  offer: (subscription: Subscription, message?: Taken) => void
  /** Pushes what waits until nothing does or the peer can take no more; its next answer or reading goes on from there. */
  pump: (subscription: Subscription) => void
  /** The peer has answered the push of that id with `true`. Returns false if no push of that id waits for an answer. */
  acknowledge: (peer: Peer, pushId: number) => boolean
  /** Nothing more is owed to the peer. */
  forget: (peer: Peer) => void
  /** Repeats what has been without an answer for too long; called once a second. */
  redeliver: () => Promise<void>
}

export const createDeliveries = (options: DeliveryOptions): Deliveries => {
  const { mailbox, metrics, log, window, redeliverAfter, now = () => performance.now(), today = Date.now } = options
  const owing = new Set<Peer>()
  /** Of a time in ms of Unix time; the clock may be set back. */
  const secondsSince = (time: number): number => Math.max(today() - time, 0) / 1000
  /** Exact to the second, which is enough and costs nothing. */
  let time = now()

  const owe = (peer: Peer): void => {
    peer.isOwing = true
    owing.add(peer)
  }
  const owesNothing = (peer: Peer): void => {
    peer.isOwing = false
    owing.delete(peer)
  }

  const write = createPushWriter(MESSAGES_TOGETHER, message =>
    'entry' in message ? mailbox.textOf(message) : message.message,
  )

  const beginPushing = ({ prefix, peer, topic }: Subscription) => ({
    head: pushHead({ id: subscriptionId(topic, peer.client), topic, prefix }),
    acknowledge: mailbox.acknowledger(peer.client, topic),
  })

  const send = ({ pushId, subscription }: Delivery, message: Message | Taken): void => {
    const { prefix, peer } = subscription
    subscription.pushing ??= beginPushing(subscription)
    const { head } = subscription.pushing
    peer.connection.sendBytes(() => write(pushId, head, prefix, message), head.length + message.size)
  }

  const push = (subscription: Subscription, message: Message | Taken): void => {
    const { peer } = subscription
    peer.lastPushId += 1
    const { seq, publishedAt } = message
    const delivery = { pushId: peer.lastPushId, subscription, seq, publishedAt, sentAt: time }
    peer.unacknowledged.push(delivery)
    if (!peer.isOwing) owe(peer)
    subscription.unacknowledged += 1
    subscription.cursor = message.seq
    send(delivery, message)
    metrics.deliveries.inc()
    metrics.deliverySeconds.observe(secondsSince(publishedAt))
  }

  /** Pushes one page of what waits. */
  const step = async (subscription: Subscription): Promise<void> => {
    const { peer, topic, cursor, unacknowledged } = subscription
    const limit = Math.min(window - unacknowledged, PAGE)
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
      log.error({ err }, 'a delivery failed')
    } finally {
      subscription.isPumping = false
    }
  }

  /** True if nothing that waits comes before the message, and the peer can take it. */
  const comesNext = ({ isBehind, isPumping, isReady, since, unacknowledged, peer }: Subscription, seq: number) =>
    isReady && !isBehind && !isPumping && seq > since && unacknowledged < window && peer.connection.hasRoom()

  const offer: Deliveries['offer'] = (subscription, message) => {
    if (message && (message.seq <= subscription.cursor || message.publisher === subscription.peer.client)) return
    if (message && message.expiresAt > today() && comesNext(subscription, message.seq)) {
      push(subscription, message)
      return
    }
    subscription.isBehind = true
    void pump(subscription)
  }

  /** Takes note that the delivery at that index is over and goes on where its subscription was held up. */
  const settle = (peer: Peer, at: number, { subscription }: Delivery): void => {
    if (at === 0) peer.unacknowledged.shift()
    else peer.unacknowledged.splice(at, 1)
    subscription.unacknowledged -= 1
    if (subscription.isBehind) void pump(subscription)
  }

  /** Pushes again under the same id, so that a late answer to the first push counts; or notes that nobody waits. */
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

    forget: owesNothing,

    redeliver: async () => {
      time = now()
      for (const peer of owing) {
        const overdue = peer.unacknowledged.filter(({ sentAt }) => sentAt + redeliverAfter <= time)
        for (const delivery of overdue) await repeat(peer, delivery)
        if (peer.unacknowledged.length === 0) owesNothing(peer)
      }
    },
  }
}
