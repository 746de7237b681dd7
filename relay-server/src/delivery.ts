/**
 * Pushes: what waits for a subscriber goes out in order, again while nobody acknowledges it, and leaves the mailbox once
 * somebody does. A subscription is a cursor over its topic's messages, so a slow reader costs a number, not a queue.
 */
import type { Connection } from '@heliograph/shared/server/connection'
import type { Logger } from '@heliograph/shared/server/log'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Client, Mailbox, Message } from './mailbox.ts'
import type { RelayMetrics } from './metrics.ts'
import { encodePush } from './push.ts'

/** Messages asked of the mailbox at once. */
const PAGE = 64

/** A socket and its client. Push ids are its own, whole numbers below 2^53. */
export type Peer = {
  client: Client
  connection: Pick<Connection, 'isOpen' | 'send' | 'hasRoom'>
  subscriptions: Map<string, Subscription>
  unacknowledged: Map<number, Delivery>
  lastPushId: number
}

export type Subscription = {
  peer: Peer
  id: string
  topic: string
  prefix: RelayPrefix
  /** What its pushes have in common: see push.ts. */
  head: string
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

export type Delivery = { subscription: Subscription; seq: number; sentAt: number }

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
}

export type Deliveries = {
  /** Something new is on the topic: the message that comes next, or what there is to read. */
  offer: (subscription: Subscription, message?: Message) => void
  /** Pushes what waits until nothing does or the peer can take no more; its next answer or reading goes on from there. */
  pump: (subscription: Subscription) => void
  /** The peer has answered the push of that id with `true`. */
  acknowledge: (peer: Peer, pushId: number) => void
  /** Nothing more is owed to the peer. */
  forget: (peer: Peer) => void
  /** Repeats what has been without an answer for too long; called once a second. */
  redeliver: () => Promise<void>
}

export const createDeliveries = (options: DeliveryOptions): Deliveries => {
  const { mailbox, metrics, log, window, redeliverAfter, now = () => performance.now() } = options
  const owing = new Set<Peer>()
  /** Exact to the second, which is enough and costs nothing. */
  let time = now()

  const push = (subscription: Subscription, message: Message): void => {
    const { peer } = subscription
    peer.lastPushId += 1
    peer.unacknowledged.set(peer.lastPushId, { subscription, seq: message.seq, sentAt: time })
    if (peer.unacknowledged.size === 1) owing.add(peer)
    subscription.unacknowledged += 1
    subscription.cursor = message.seq
    peer.connection.send(encodePush(peer.lastPushId, subscription.head, subscription.prefix, message))
    metrics.deliveries.inc()
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
  const comesNext = (
    { isBehind, isPumping, isReady, cursor, since, unacknowledged, peer }: Subscription,
    seq: number,
  ) =>
    isReady &&
    !isBehind &&
    !isPumping &&
    seq > cursor &&
    seq > since &&
    unacknowledged < window &&
    peer.connection.hasRoom()

  const offer = (subscription: Subscription, message?: Message): void => {
    if (message?.publisher === subscription.peer.client) return
    if (message && message.expiresAt > Date.now() && comesNext(subscription, message.seq)) {
      push(subscription, message)
      return
    }
    subscription.isBehind = true
    void pump(subscription)
  }

  /** Takes note that a delivery is over and goes on where its subscription was held up. */
  const settle = (peer: Peer, pushId: number, { subscription }: Delivery): void => {
    peer.unacknowledged.delete(pushId)
    subscription.unacknowledged -= 1
    if (subscription.isBehind) void pump(subscription)
  }

  /** The oldest deliveries come first: a repeated one moves to the end. */
  const takeOverdue = (peer: Peer): [pushId: number, delivery: Delivery][] => {
    const overdue: [number, Delivery][] = []
    for (const [pushId, delivery] of peer.unacknowledged) {
      if (delivery.sentAt + redeliverAfter > time) break
      overdue.push([pushId, { ...delivery, sentAt: time }])
    }
    for (const [pushId, delivery] of overdue) {
      peer.unacknowledged.delete(pushId)
      peer.unacknowledged.set(pushId, delivery)
    }
    return overdue
  }

  /** Pushes again under the same id, so that a late answer to the first push counts; or notes that nobody waits. */
  const repeat = async (peer: Peer, pushId: number, delivery: Delivery): Promise<void> => {
    const { subscription, seq } = delivery
    const [message] = await mailbox.read(peer.client, subscription.topic, seq - 1, 1)
    if (peer.unacknowledged.get(pushId) !== delivery) return
    if (message?.seq !== seq) return settle(peer, pushId, delivery)
    if (!peer.connection.hasRoom()) return
    peer.connection.send(encodePush(pushId, subscription.head, subscription.prefix, message))
    metrics.redeliveries.inc()
  }

  return {
    offer,

    pump: subscription => void pump(subscription),

    acknowledge: (peer, pushId) => {
      const delivery = peer.unacknowledged.get(pushId)
      if (!delivery) return
      metrics.acknowledgements.inc()
      void mailbox.acknowledge(peer.client, delivery.subscription.topic, delivery.seq)
      settle(peer, pushId, delivery)
    },

    forget: peer => {
      owing.delete(peer)
    },

    redeliver: async () => {
      time = now()
      for (const peer of owing) {
        for (const [pushId, delivery] of takeOverdue(peer)) await repeat(peer, pushId, delivery)
        if (peer.unacknowledged.size === 0) owing.delete(peer)
      }
    },
  }
}
