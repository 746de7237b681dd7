/**
 * The sockets of the bridge: who is subscribed to what, and which frame has reached whom.
 *
 * The protocol has no errors. A frame that the bridge cannot keep, or a subscription that it has no room for, closes the
 * socket with a code and a reason that names the setting, so that the client knows that it was not taken.
 *
 * The protocol's own acknowledgements name no frame. So each delivery is followed by a ping, whose answer tells that the
 * other side has all that came before. Until then a frame stays in the queue, and whoever subscribes next gets it.
 */
import { kebab } from '@heliograph/shared/server/config'
import type { Connection } from '@heliograph/shared/server/connection'
import { BYTES_A_TOKEN } from '@heliograph/shared/server/rate'
import type { Refused } from '@heliograph/shared/server/refusals'
import {
  type Account,
  crowding,
  NOBODY,
  type Payers,
  partOfTopic,
  type Resource,
  type Shares,
  shareName,
  shareText,
} from '@heliograph/shared/server/shares'
import { type BridgeFrame, decodeFrame, encodeFrame } from '@heliograph/shared/wire/bridge-frames'
import type { Frame, FrameStore } from './frame-store.ts'
import type { BridgeMetrics } from './metrics.ts'
import type { Queue, QueueLimits } from './queue.ts'

/** Bounds, each a row of the configuration. */
export type HubLimits = { topicClients: number; clientTopics: number; subscriptions: number; unconfirmed: number }

/**
 * An open socket. `unconfirmed` are the frames sent to it, each with the ping that follows, in order; `behind` are the
 * subscriptions for whose next frames there was no room.
 */
export type Session = {
  number: number
  /** Who pays for what it publishes and subscribes to. */
  payers: Payers
  connection: Pick<Connection, 'send' | 'hasRoom' | 'ping' | 'close'>
  subscriptions: Map<string, Subscription>
  behind: Set<Subscription>
  unconfirmed: { ping: number; frame: Frame }[]
}

/** `cursor` is the last frame sent. */
type Subscription = { session: Session; topic: string; cursor: number }

export type Hub = {
  connect: (connection: Session['connection'], payers?: Payers) => Session
  /** Takes what a socket sent, and returns how many tokens it costs. What is no frame does nothing. */
  receive: (session: Session, bytes: Uint8Array) => number
  /** As `receive`, for a socket that sends too many: closes it, unless it only acknowledges. */
  refuse: (session: Session, bytes: Uint8Array) => number
  /** The other side has all that came before that ping. */
  confirm: (session: Session, ping: number) => void
  /** There is room again. */
  drain: (session: Session) => void
  disconnect: (session: Session) => void
  /** Has what was sent and is not confirmed survive a crash; called once a second. */
  keep: () => void
  /** Pings all sockets. */
  ping: () => void
  /** Open sockets, and topics of all of them together. */
  size: () => { connections: number; subscriptions: number }
}

export type HubOptions = {
  queue: Queue
  store: FrameStore
  limits: HubLimits
  shares: Shares
  metrics: BridgeMetrics
  refused: Refused
  /** Hears of every frame that is not silent. */
  notify: (topic: string) => void
}

/** Close code for a client that goes beyond a limit of its own ("policy violation"). */
const POLICY_VIOLATION = 1008
/** Close code for a limit that clients share ("try again later", in the registry of RFC 6455 §11.7). */
const TRY_AGAIN_LATER = 1013
/** What a frame costs of the rate of its client. Acknowledgements are no messages of their own. */
const costOf = (frame: BridgeFrame | undefined, { length }: Uint8Array): number =>
  (frame?.type === 'ack' ? 0 : 1) + Math.floor(length / BYTES_A_TOKEN)

export const createHub = ({ queue, store, limits, shares, metrics, refused, notify }: HubOptions): Hub => {
  const sessions = new Set<Session>()
  const byTopic = new Map<string, Set<Subscription>>()
  /** How many clients of one address a topic may have. */
  const part = partOfTopic(limits.topicClients, 'clients')
  let lastNumber = 0
  let subscriptionCount = 0

  const send = (subscription: Subscription, frame: Frame): void => {
    const { session } = subscription
    subscription.cursor = frame.seq
    const text = store.textOf(frame)
    if (text === undefined) {
      // It cannot be read any more, which was logged and counted.
      queue.remove(frame)
      return
    }
    session.connection.send(text)
    session.unconfirmed.push({ ping: session.connection.ping(), frame })
    metrics.deliveries.inc()
  }

  const hasRoom = ({ connection, unconfirmed }: Session): boolean =>
    unconfirmed.length < limits.unconfirmed && connection.hasRoom()

  /** Sends what is in the queue after the cursor, as far as there is room. */
  const catchUp = (subscription: Subscription): void => {
    const { session, topic } = subscription
    session.behind.delete(subscription)
    for (const frame of queue.of(topic)) {
      if (frame.seq <= subscription.cursor || frame.publisher === session.number) continue
      if (!hasRoom(session)) {
        session.behind.add(subscription)
        return
      }
      send(subscription, frame)
    }
  }

  /** Sends a new frame, which comes after all others. Returns whether it is on its way. */
  const offer = (subscription: Subscription, frame: Frame): boolean => {
    const { session } = subscription
    if (session.number === frame.publisher) return false
    if (!hasRoom(session)) session.behind.add(subscription)
    if (session.behind.has(subscription)) return false
    send(subscription, frame)
    return true
  }

  const drain = (session: Session): void => {
    for (const subscription of session.behind) {
      if (!hasRoom(session)) return
      catchUp(subscription)
    }
  }

  /** Closes a socket of which something was not taken, and counts the setting it went beyond. */
  const turnAway = ({ connection }: Session, setting: keyof HubLimits | keyof QueueLimits): void => {
    const name = kebab(setting)
    refused(name)
    connection.close(setting === 'clientTopics' ? POLICY_VIOLATION : TRY_AGAIN_LATER, `limit reached (${name})`)
  }

  /** As `turnAway`, for the share of the client's address. */
  const turnAwayShare = ({ connection }: Session, account: Account, resource: Resource): void => {
    refused(shareName(account, resource))
    connection.close(POLICY_VIOLATION, shareText(account, resource, shares.limits))
  }

  const publish = (session: Session, { topic, silent, ...rest }: BridgeFrame): void => {
    const text = encodeFrame({ topic, silent, ...rest })
    const spent = queue.exhausted(session.payers, Buffer.byteLength(text))
    if (spent) {
      metrics.dropped.inc()
      turnAwayShare(session, spent.account, spent.resource)
      return
    }
    const frame = queue.add(topic, text, session.number, session.payers)
    let isOnItsWay = false
    for (const subscription of byTopic.get(topic) ?? []) if (offer(subscription, frame)) isOnItsWay = true
    const broken = isOnItsWay ? undefined : queue.brokenBound(topic, session.payers)
    if (broken) {
      queue.remove(frame)
      metrics.dropped.inc()
      turnAway(session, broken)
      return
    }
    if (!isOnItsWay) store.keep(frame)
    metrics.publishes.inc()
    if (!silent) notify(topic)
  }

  const isCrowded = (topic: string, payers: Payers): boolean => {
    const sessionsOf = Array.from(byTopic.get(topic) ?? [], ({ session }) => session)
    return crowding(payers, sessionsOf, part, 1, () => 1) !== undefined
  }

  const brokenBound = (session: Session, topic: string): keyof HubLimits | undefined => {
    if (session.subscriptions.size >= limits.clientTopics) return 'clientTopics'
    if (subscriptionCount >= limits.subscriptions) return 'subscriptions'
    const count = byTopic.get(topic)?.size ?? 0
    return count >= limits.topicClients || (count >= part && isCrowded(topic, session.payers))
      ? 'topicClients'
      : undefined
  }

  const subscribe = (session: Session, topic: string): void => {
    // A frame may be handled after its socket has gone.
    if (session.subscriptions.has(topic) || !sessions.has(session)) return
    const broken = brokenBound(session, topic)
    if (broken) {
      turnAway(session, broken)
      return
    }
    const spent = shares.exhausted(session.payers, 'subscriptions', 1)
    if (spent) {
      turnAwayShare(session, spent, 'subscriptions')
      return
    }
    shares.take(session.payers, 'subscriptions', 1)
    const subscription: Subscription = { session, topic, cursor: 0 }
    session.subscriptions.set(topic, subscription)
    subscriptionCount += 1
    const others = byTopic.get(topic)
    if (others) others.add(subscription)
    else byTopic.set(topic, new Set([subscription]))
    catchUp(subscription)
  }

  return {
    connect: (connection, payers = NOBODY) => {
      lastNumber += 1
      const session: Session = {
        number: lastNumber,
        payers,
        connection,
        subscriptions: new Map(),
        behind: new Set(),
        unconfirmed: [],
      }
      sessions.add(session)
      return session
    },

    receive: (session, bytes) => {
      const frame = decodeFrame(bytes)
      if (!frame) metrics.ignored.inc()
      if (frame?.type === 'pub') publish(session, frame)
      if (frame?.type === 'sub') subscribe(session, frame.topic)
      return costOf(frame, bytes)
    },

    refuse: ({ connection }, bytes) => {
      const frame = decodeFrame(bytes)
      if (frame?.type !== 'ack') connection.close(POLICY_VIOLATION, 'too many messages (message-rate)')
      return costOf(frame, bytes)
    },

    confirm: (session, ping) => {
      const { unconfirmed } = session
      const open = unconfirmed.findIndex(sent => !(sent.ping <= ping))
      const confirmed = unconfirmed.splice(0, open === -1 ? unconfirmed.length : open)
      for (const { frame } of confirmed) queue.remove(frame)
      drain(session)
    },

    drain,

    disconnect: session => {
      sessions.delete(session)
      subscriptionCount -= session.subscriptions.size
      shares.give(session.payers, 'subscriptions', session.subscriptions.size)
      for (const subscription of session.subscriptions.values()) {
        const subscriptions = byTopic.get(subscription.topic)
        subscriptions?.delete(subscription)
        if (subscriptions?.size === 0) byTopic.delete(subscription.topic)
      }
      for (const { frame } of session.unconfirmed) {
        if (!queue.has(frame)) continue
        store.keep(frame)
        metrics.returns.inc()
      }
    },

    keep: () => {
      for (const { unconfirmed } of sessions)
        for (const { frame } of unconfirmed) if (queue.has(frame)) store.keep(frame)
    },

    ping: () => {
      for (const { connection } of sessions) connection.ping()
    },

    size: () => ({ connections: sessions.size, subscriptions: subscriptionCount }),
  }
}
