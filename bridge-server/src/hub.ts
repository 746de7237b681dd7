/**
 * Sessions and subscriptions of the bridge, and their limits.
 *
 * The protocol has no error responses. If the bridge cannot accept a frame or a subscription, it closes the socket with
 * a code and a reason that names the setting.
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
import type { Logger } from '@heliograph/shared/server/process/log'
import { serverText } from '@heliograph/shared/server/reasons'
import { type BridgeFrame, decodeBridgeFrame, encodeBridgeFrame } from '@heliograph/shared/wire/bridge-frames'
import { createDelivery, type Session, type Subscription } from './delivery.ts'
import type { FrameQueue, QueuedFrame, QueueLimits, Refusal } from './frame-queue.ts'
import type { BridgeMetrics } from './metrics.ts'

/** Limits, each of which is a setting. */
export type HubLimits = { topicClients: number; clientTopics: number; subscriptions: number; unconfirmed: number }

/**
 * `crowd` counts the clients of each payer. It is undefined until the topic is so full that one payer could exceed its
 * part.
 */
type Topic = { subscriptions: Set<Subscription>; crowd: Tally | undefined }

export type Hub = {
  connect: (connection: Session['connection'], payers?: Payers) => Session
  /** Handles a WebSocket message and returns its cost in tokens. Ignores invalid frames. */
  receive: (session: Session, bytes: Uint8Array) => number
  /**
   * Handles a WebSocket message of a socket over its rate: closes the socket unless the message is an acknowledgement.
   * Returns the cost in tokens.
   */
  refuse: (session: Session, bytes: Uint8Array) => number
  /** Handles a pong to the ping with that number. All frames sent before the ping have arrived. */
  confirm: (session: Session, ping: number) => void
  /** Called when the send buffer has room again. */
  drain: (session: Session) => void
  disconnect: (session: Session) => void
  /** Stores sent frames that are not confirmed yet, and retries failed reads of the queue. Called once a second. */
  tick: () => void
  /** Pings all sockets. */
  ping: () => void
  /** Returns the number of open sockets and the number of their subscriptions. */
  size: () => { connections: number; subscriptions: number }
}

export type HubOptions = {
  queue: FrameQueue
  limits: HubLimits
  shares: Shares
  metrics: BridgeMetrics
  refused: Refused
  log: Logger
  /** Called for every frame that is not silent. */
  notify: (topic: string) => void
}

/** WebSocket close code for exceeding the client's own limit ("policy violation"). */
const POLICY_VIOLATION = 1008
/** WebSocket close code for exceeding a shared limit ("try again later", in the registry of RFC 6455 §11.7). */
const TRY_AGAIN_LATER = 1013
/** Returns the cost of a WebSocket message in tokens. Only the size of an acknowledgement is charged. */
const costOf = (frame: BridgeFrame | undefined, { length }: Uint8Array): number =>
  (frame?.type === 'ack' ? 0 : 1) + Math.floor(length / BYTES_A_TOKEN)

export const createHub = ({ queue, limits, shares, metrics, refused, log, notify }: HubOptions): Hub => {
  const sessions = new Set<Session>()
  const byTopic = new Map<string, Topic>()
  /** Maximum number of clients of one address on a topic. */
  const addressClients = partOfTopic(limits.topicClients, 'clients')
  let lastNumber = 0
  let subscriptionCount = 0

  const delivery = createDelivery({ queue, window: limits.unconfirmed, metrics })

  const deliver = (frame: QueuedFrame, before: number): boolean => {
    let isSent = false
    const subscriptions = byTopic.get(frame.topic)?.subscriptions ?? []
    for (const subscription of subscriptions) if (delivery.offer(subscription, frame, before)) isSent = true
    return isSent
  }

  const catchUp = (): void => {
    for (const { subscriptions } of sessions) for (const one of subscriptions.values()) delivery.catchUp(one)
  }
  queue.serve({ deliver, catchUp })

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

  /** Closes the socket of a publisher whose frame was refused. Counts only the first refused frame of a socket. */
  const refuse = (session: Session, refusal: Refusal): void => {
    if (session.isRefused) return
    session.isRefused = true
    metrics.dropped.inc()
    if (refusal === 'storageUnavailable') {
      const setting = 'redis-url'
      refused(setting)
      session.connection.close(TRY_AGAIN_LATER, serverText('storageUnavailable', { setting }))
    } else if ('limit' in refusal) closeOverLimit(session, refusal.limit)
    else closeOverShare(session, refusal.spent.account, refusal.spent.resource)
  }

  const publish = (session: Session, { topic, silent, ...rest }: BridgeFrame): void => {
    const text = encodeBridgeFrame({ topic, silent, ...rest })
    const settle = (refusal: Refusal | undefined): void => {
      if (refusal) {
        refuse(session, refusal)
        return
      }
      metrics.publishes.inc()
      if (!silent) notify(topic)
    }
    const outcome = queue.publish({ topic, text, publisher: session.number, payers: session.payers })
    if (outcome instanceof Promise)
      outcome.then(settle).catch(err => log.error({ err }, 'a frame could not be published'))
    else settle(outcome)
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
    // The socket may have closed before its frame was handled, and is then not subscribed.
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
    const subscription: Subscription = { session, topic, cursor: 0, isReading: false, heard: 0 }
    session.subscriptions.set(topic, subscription)
    subscriptionCount += 1
    const known = byTopic.get(topic)
    if (known) known.subscriptions.add(subscription)
    else byTopic.set(topic, { subscriptions: new Set([subscription]), crowd: undefined })
    if (known?.crowd) addTo(known.crowd, session.payers, 1)
    delivery.catchUp(subscription)
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
        isRefused: false,
      }
      sessions.add(session)
      return session
    },

    receive: (session, bytes) => {
      const frame = decodeBridgeFrame(bytes)
      if (!frame) metrics.ignored.inc()
      if (frame?.type === 'pub') publish(session, frame)
      if (frame?.type === 'sub') subscribe(session, frame.topic)
      return costOf(frame, bytes)
    },

    refuse: ({ connection }, bytes) => {
      const frame = decodeBridgeFrame(bytes)
      if (frame?.type !== 'ack')
        connection.close(POLICY_VIOLATION, serverText('clientOverMessageRate', { setting: 'message-rate' }))
      return costOf(frame, bytes)
    },

    confirm: delivery.confirm,
    drain: delivery.drain,

    disconnect: session => {
      sessions.delete(session)
      subscriptionCount -= session.subscriptions.size
      shares.give(session.payers, 'subscriptions', session.subscriptions.size)
      for (const subscription of session.subscriptions.values()) {
        const topic = byTopic.get(subscription.topic)
        topic?.subscriptions.delete(subscription)
        if (topic?.crowd) addTo(topic.crowd, session.payers, -1)
        if (topic?.subscriptions.size !== 0) continue
        byTopic.delete(subscription.topic)
        queue.detach(subscription.topic)
      }
      delivery.end(session)
    },

    tick: () => {
      for (const session of sessions) delivery.tick(session)
    },

    ping: () => {
      for (const { connection } of sessions) connection.ping()
    },

    size: () => ({ connections: sessions.size, subscriptions: subscriptionCount }),
  }
}
