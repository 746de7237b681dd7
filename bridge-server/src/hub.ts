/**
 * Sessions and subscriptions of the bridge, and delivery of frames with confirmation of arrival.
 *
 * The protocol has no error responses. If the bridge cannot accept a frame or a subscription, it closes the socket with a
 * code and a reason that names the setting.
 *
 * Acknowledgements in the protocol do not identify a frame. The bridge therefore sends a WebSocket ping after each frame;
 * the pong confirms all earlier frames. Unconfirmed frames stay in the queue and go to the next subscriber.
 */

import { BYTES_A_TOKEN } from '@heliograph/shared/server/limits/rate'
import type { Refused } from '@heliograph/shared/server/limits/refusals'
import {
  type Account,
  addTo,
  crowding,
  NOBODY,
  type Payers,
  partOfTopic,
  type Resource,
  type Shares,
  type Tally,
  tallyOf,
  usedUpShare,
} from '@heliograph/shared/server/limits/shares'
import { kebab } from '@heliograph/shared/server/process/config'
import { serverText } from '@heliograph/shared/server/reasons'
import type { Connection } from '@heliograph/shared/server/transport/connection'
import { type BridgeFrame, decodeFrame, encodeFrame } from '@heliograph/shared/wire/bridge-frames'
import type { Frame, FrameStore } from './frame-store.ts'
import type { BridgeMetrics } from './metrics.ts'
import type { Queue, QueueLimits } from './queue.ts'

/** Limits, each a configuration row. */
export type HubLimits = { topicClients: number; clientTopics: number; subscriptions: number; unconfirmed: number }

/**
 * An open socket. `unconfirmed` holds the sent frames in order, each with the ping sent after it. `behind` holds the
 * subscriptions that have to wait for room in the send buffer.
 */
export type Session = {
  number: number
  /** The accounts charged for its frames and subscriptions. */
  payers: Payers
  connection: Pick<Connection, 'send' | 'hasRoom' | 'ping' | 'close'>
  subscriptions: Map<string, Subscription>
  behind: Set<Subscription>
  unconfirmed: { ping: number; frame: Frame }[]
}

/** `cursor` is the sequence number of the last frame sent. */
type Subscription = { session: Session; topic: string; cursor: number }
/** `crowd` has the clients of each payer, from the time on that there are so many that this matters. */
type Topic = { subscriptions: Set<Subscription>; crowd: Tally | undefined }

export type Hub = {
  connect: (connection: Session['connection'], payers?: Payers) => Session
  /** Handles a WebSocket message and returns its cost in tokens. Ignores invalid frames. */
  receive: (session: Session, bytes: Uint8Array) => number
  /** Handles a message of a socket over its rate: closes the socket unless the message is an acknowledgement. Returns the cost. */
  refuse: (session: Session, bytes: Uint8Array) => number
  /** Handles a pong: all frames sent before that ping have arrived. */
  confirm: (session: Session, ping: number) => void
  /** Called when the send buffer has room again. */
  drain: (session: Session) => void
  disconnect: (session: Session) => void
  /** Stores sent frames that are not confirmed yet. Called once a second. */
  keep: () => void
  /** Pings all sockets. */
  ping: () => void
  /** Number of open sockets, and of their subscriptions. */
  size: () => { connections: number; subscriptions: number }
}

export type HubOptions = {
  queue: Queue
  store: FrameStore
  limits: HubLimits
  shares: Shares
  metrics: BridgeMetrics
  refused: Refused
  /** Called for every frame that is not silent. */
  notify: (topic: string) => void
}

/** WebSocket close code for exceeding the client's own limit ("policy violation"). */
const POLICY_VIOLATION = 1008
/** WebSocket close code for exceeding a shared limit ("try again later", in the registry of RFC 6455 §11.7). */
const TRY_AGAIN_LATER = 1013
/** Cost of a message in tokens. Acknowledgements cost only for their size. */
const costOf = (frame: BridgeFrame | undefined, { length }: Uint8Array): number =>
  (frame?.type === 'ack' ? 0 : 1) + Math.floor(length / BYTES_A_TOKEN)

export const createHub = ({ queue, store, limits, shares, metrics, refused, notify }: HubOptions): Hub => {
  const sessions = new Set<Session>()
  const byTopic = new Map<string, Topic>()
  /** Maximum number of one address's clients per topic. */
  const addressClients = partOfTopic(limits.topicClients, 'clients')
  let lastNumber = 0
  let subscriptionCount = 0

  const send = (subscription: Subscription, frame: Frame): void => {
    const { session } = subscription
    subscription.cursor = frame.seq
    const text = store.textOf(frame)
    if (text === undefined) {
      // The text can no longer be read. The store has logged and counted that.
      queue.remove(frame)
      return
    }
    session.connection.send(text)
    session.unconfirmed.push({ ping: session.connection.ping(), frame })
    metrics.deliveries.inc()
  }

  const hasRoom = ({ connection, unconfirmed }: Session): boolean =>
    unconfirmed.length < limits.unconfirmed && connection.hasRoom()

  /** Sends queued frames after the cursor while there is room. */
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

  /** Sends a new frame after all queued ones. Returns false if it has to wait. */
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

  /** Closes a socket that exceeded a setting, and counts the refusal. */
  const closeOverLimit = ({ connection }: Session, setting: keyof HubLimits | keyof QueueLimits): void => {
    const name = kebab(setting)
    refused(name)
    const code = setting === 'clientTopics' ? POLICY_VIOLATION : TRY_AGAIN_LATER
    connection.close(code, serverText('limitReached', { setting: name }))
  }

  /** Closes a socket whose address has used up its share, and counts the refusal. */
  const closeOverShare = ({ connection }: Session, account: Account, resource: Resource): void => {
    const values = usedUpShare(account, resource, shares.limits)
    refused(values.setting)
    connection.close(POLICY_VIOLATION, serverText('shareUsedUp', values))
  }

  const publish = (session: Session, { topic, silent, ...rest }: BridgeFrame): void => {
    const text = encodeFrame({ topic, silent, ...rest })
    const spent = queue.exhausted(session.payers, Buffer.byteLength(text))
    if (spent) {
      metrics.dropped.inc()
      closeOverShare(session, spent.account, spent.resource)
      return
    }
    const frame = queue.add(topic, text, session.number, session.payers)
    let isSent = false
    for (const subscription of byTopic.get(topic)?.subscriptions ?? []) if (offer(subscription, frame)) isSent = true
    const broken = isSent ? undefined : queue.brokenBound(topic, session.payers)
    if (broken) {
      queue.remove(frame)
      metrics.dropped.inc()
      closeOverLimit(session, broken)
      return
    }
    if (!isSent) store.keep(frame)
    metrics.publishes.inc()
    if (!silent) notify(topic)
  }

  const isFull = (topic: Topic, payers: Payers): boolean => {
    const { size } = topic.subscriptions
    if (size < addressClients) return false
    topic.crowd ??= tallyOf(
      Array.from(topic.subscriptions, ({ session }) => session),
      () => 1,
    )
    return size >= limits.topicClients || crowding(payers, topic.crowd, addressClients, 1) !== undefined
  }

  const brokenBound = (session: Session, topic: string): keyof HubLimits | undefined => {
    if (session.subscriptions.size >= limits.clientTopics) return 'clientTopics'
    if (subscriptionCount >= limits.subscriptions) return 'subscriptions'
    const known = byTopic.get(topic)
    return known && isFull(known, session.payers) ? 'topicClients' : undefined
  }

  const subscribe = (session: Session, topic: string): void => {
    // The socket may have closed before its frame was handled.
    if (session.subscriptions.has(topic) || !sessions.has(session)) return
    const broken = brokenBound(session, topic)
    if (broken) {
      closeOverLimit(session, broken)
      return
    }
    const spent = shares.exhausted(session.payers, 'subscriptions', 1)
    if (spent) {
      closeOverShare(session, spent, 'subscriptions')
      return
    }
    shares.take(session.payers, 'subscriptions', 1)
    const subscription: Subscription = { session, topic, cursor: 0 }
    session.subscriptions.set(topic, subscription)
    subscriptionCount += 1
    const known = byTopic.get(topic)
    if (known) known.subscriptions.add(subscription)
    else byTopic.set(topic, { subscriptions: new Set([subscription]), crowd: undefined })
    if (known?.crowd) addTo(known.crowd, session.payers, 1)
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
      if (frame?.type !== 'ack')
        connection.close(POLICY_VIOLATION, serverText('clientOverMessageRate', { setting: 'message-rate' }))
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
        const topic = byTopic.get(subscription.topic)
        topic?.subscriptions.delete(subscription)
        if (topic?.crowd) addTo(topic.crowd, session.payers, -1)
        if (topic?.subscriptions.size === 0) byTopic.delete(subscription.topic)
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
