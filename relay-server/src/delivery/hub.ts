/** Keeps the open sockets of this process and their subscriptions. */
import { nameOfCode, RpcError } from '@heliograph/shared/errors'
import { NOBODY, type Payers } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import { settleInTurns } from '@heliograph/shared/server/process/turn'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import { type Accepted, type Client, isNamed, type Mailbox } from '../mailbox/mailbox.ts'
import { relayError } from '../reasons.ts'
import type { Deliveries, Peer, Subscription } from './delivery.ts'
import { createFanOut } from './fan-out.ts'
import { subscriptionId } from './push.ts'

/**
 * Milliseconds between the response to a subscribe call and the first stored message, because some clients lose
 * messages that arrive together with the response.
 */
const BACKLOG_WAIT = 50

/** Minimum number of subscriptions of a topic whose messages are distributed over several turns of the event loop. */
const MANY = 64

/** Maximum number of subscriptions that are restored at the same time. */
const RENEWED_TOGETHER = 64

export type Hub = {
  /**
   * Offers an announced message to the topic's subscriptions. `message` is the next one of the topic; without it, the
   * subscriptions read the mailbox.
   */
  offer: (topic: string, message: Accepted | undefined) => void
  /** Registers a socket. `payers` are charged for its messages and subscriptions. */
  connect: (client: Client, connection: Peer['connection'], payers?: Payers) => Peer
  /**
   * Subscribes a socket, idempotently. Resolves when the mailbox has stored the subscription. Call `open` once the
   * response is sent; it starts the pushes. Throws RpcError.
   */
  subscribe: (peer: Peer, topic: string, prefix: RelayPrefix) => Promise<{ id: string; open: () => void }>
  /** Ends the client's subscription to the topic on all its sockets. */
  unsubscribe: (peer: Peer, topic: string) => Promise<void>
  /** True if a socket of the client is subscribed to the topic. */
  isLive: (client: Client, topic: string) => boolean
  /** Tells the mailbox that the clients of open sockets are still active. Called once an hour. */
  refresh: () => Promise<void>
  /**
   * Renews the subscriptions of all open sockets, because the mailbox may have lost them. Pushes messages that have
   * arrived meanwhile. Rejects if the mailbox is unavailable.
   */
  restore: () => Promise<void>
  /** Called when the peer has room again. */
  drain: (peer: Peer) => void
  disconnect: (peer: Peer) => void
}

/**
 * Push ids reserved per millisecond. A socket cannot use as many, so later sockets of a client never reuse an id. iOS
 * remembers ids; it acknowledges and drops a message with a known id.
 */
const PUSH_IDS = 100

const NONE: readonly Subscription[] = []

/** Subscriptions of a topic. Usually there are one or two; a single one is stored without a list. */
type Attached = undefined | Subscription | readonly Subscription[]

const listOf = (attached: Attached): readonly Subscription[] => {
  if (attached === undefined) return NONE
  return 'peer' in attached ? [attached] : attached
}

export const createHub = (mailbox: Mailbox, deliveries: Deliveries, log: Logger): Hub => {
  const peers = new Set<Peer>()
  /** Subscriptions that the mailbox has removed or is about to remove. */
  const ended = new WeakSet<Subscription>()
  const subscriptionsOf = (topic: string): readonly Subscription[] => listOf(mailbox.attached(topic) as Attached)
  /** False once the subscription has ended. */
  const isAttached = (subscription: Subscription): boolean => subscriptionsOf(subscription.topic).includes(subscription)

  const fanOut = createFanOut({
    subscriptionsOf,
    offer: deliveries.offer,
    onFault: err => log.error({ err }, 'offering a message failed'),
  })

  const pumpAll = (subscriptions: Iterable<Subscription>): void => {
    for (const subscription of subscriptions) if (subscription.isBehind) deliveries.pump(subscription)
  }

  const offer: Hub['offer'] = (topic, message) => {
    const subscriptions = subscriptionsOf(topic)
    if (message && (subscriptions.length >= MANY || fanOut.isUnderWay(topic))) fanOut.add(topic, message)
    else for (const subscription of subscriptions) deliveries.offer(subscription, message)
  }

  const start = (subscription: Subscription): void => {
    if (!isAttached(subscription)) return
    subscription.isReady = true
    subscription.isBehind = true
    deliveries.pump(subscription)
  }

  const add = (peer: Peer, topic: string, prefix: RelayPrefix): Subscription => {
    const subscription: Subscription = {
      peer,
      topic,
      prefix,
      pushing: undefined,
      cursor: 0,
      since: 0,
      unacknowledged: 0,
      isReady: false,
      isBehind: false,
      isPumping: false,
    }
    peer.subscriptions.push(subscription)
    const others = subscriptionsOf(topic)
    mailbox.attach(topic, others.length === 0 ? subscription : [...others, subscription])
    return subscription
  }

  const remove = (subscription: Subscription): void => {
    const { peer, topic } = subscription
    const at = peer.subscriptions.indexOf(subscription)
    if (at === -1) return
    peer.subscriptions.splice(at, 1)
    subscription.isReady = false
    peer.unacknowledged = peer.unacknowledged.filter(delivery => delivery.subscription !== subscription)
    const others = subscriptionsOf(topic).filter(other => other !== subscription)
    mailbox.attach(topic, others.length > 1 ? others : others[0])
  }

  const isLive: Hub['isLive'] = (client, topic) => subscriptionsOf(topic).some(({ peer }) => peer.client === client)

  /** Renews the client's subscription in the mailbox. Resolves with the last sequence number. */
  const renew = async (subscription: Subscription): Promise<number> => {
    const { peer, topic } = subscription
    const last = await mailbox.subscribe(peer.client, topic, peer.payers)
    // If the subscription ended meanwhile, its removal may have come before this renewal, so it is removed again.
    if (ended.has(subscription) && !isLive(peer.client, topic)) await mailbox.unsubscribe(peer.client, topic)
    return last
  }

  /** Renews a subscription, and pushes messages that have arrived meanwhile. Logs a warning if a limit refuses it. */
  const restoreOne = async (subscription: Subscription): Promise<void> => {
    if (!isAttached(subscription)) return
    try {
      const last = await renew(subscription)
      // A lower number means that the mailbox has lost messages. New messages may get numbers below the cursor, so the
      // cursor starts at 0 again.
      if (last < subscription.cursor) subscription.cursor = 0
      subscription.since = Math.min(subscription.since, last)
      subscription.isBehind = true
      deliveries.pump(subscription)
    } catch (err) {
      if (!(err instanceof RpcError) || nameOfCode(err.code) !== 'limitExceeded') throw err
      log.warn({ err }, 'a subscription could not be restored')
    }
  }

  return {
    offer,

    connect: (client, connection, payers = NOBODY) => {
      const peer: Peer = {
        client,
        payers,
        connection,
        subscriptions: [],
        unacknowledged: [],
        publishesTo: '',
        lastPushId: Date.now() * PUSH_IDS,
        isAwaited: false,
      }
      peers.add(peer)
      return peer
    },

    subscribe: async (peer, topic, prefix) => {
      if (!peer.connection.isOpen) throw relayError('resourceUnavailable', 'connectionClosed')
      const before = subscriptionsOf(topic).find(subscription => subscription.peer === peer)
      const subscription = before ?? add(peer, topic, prefix)
      try {
        subscription.since = await mailbox.subscribe(peer.client, topic, peer.payers)
      } catch (refusal) {
        if (!before) remove(subscription)
        throw refusal
      }
      subscription.prefix = prefix
      subscription.pushing = undefined
      const wait = prefix === 'waku' || !isNamed(peer.client) ? BACKLOG_WAIT : 0
      return { id: subscriptionId(topic, peer.client), open: () => void setTimeout(start, wait, subscription) }
    },

    unsubscribe: async ({ client }, topic) => {
      for (const subscription of subscriptionsOf(topic).filter(({ peer }) => peer.client === client)) {
        remove(subscription)
        ended.add(subscription)
      }
      await mailbox.unsubscribe(client, topic)
    },

    isLive,

    refresh: async () => {
      for (const { client, subscriptions } of peers) {
        if (!isNamed(client)) continue
        for (const subscription of [...subscriptions]) if (isAttached(subscription)) await renew(subscription)
      }
    },

    restore: async () => {
      const all = [...peers].flatMap(({ subscriptions }) => subscriptions)
      for (let at = 0; at < all.length; at += RENEWED_TOGETHER)
        await Promise.all(all.slice(at, at + RENEWED_TOGETHER).map(restoreOne))
    },

    drain: peer => pumpAll(peer.subscriptions),

    disconnect: peer => {
      peers.delete(peer)
      deliveries.forget(peer)
      const leave = async (subscription: Subscription): Promise<void> => {
        remove(subscription)
        if (isNamed(peer.client)) return
        ended.add(subscription)
        await mailbox.unsubscribe(peer.client, subscription.topic)
      }
      settleInTurns([...peer.subscriptions], leave).then(attempts => {
        for (const attempt of attempts)
          if (attempt.status === 'rejected') log.error({ err: attempt.reason }, 'ending a subscription failed')
      })
    },
  }
}
