/**
 * Sends frames to subscribers.
 *
 * The protocol's acknowledgements do not identify a frame. The bridge therefore sends a WebSocket ping after each
 * frame, and the pong confirms all earlier frames. Unconfirmed frames stay in the queue and go to the next subscriber.
 */
import type { Payers } from '@heliograph/shared/server/limits/shares'
import type { Connection } from '@heliograph/shared/server/transport/connection'
import type { FrameQueue, Page, QueuedFrame } from './frame-queue.ts'
import type { BridgeMetrics } from './metrics.ts'

/**
 * An open socket. `unconfirmed` has the sent frames in order, each with the number of the ping sent after it. `behind`
 * has the subscriptions that must read the queue once the send buffer has room.
 */
export type Session = {
  number: number
  /** The accounts charged for its frames and subscriptions. */
  payers: Payers
  connection: Pick<Connection, 'send' | 'hasRoom' | 'ping' | 'close'>
  subscriptions: Map<string, Subscription>
  behind: Set<Subscription>
  unconfirmed: { ping: number; frame: QueuedFrame }[]
  /** True once a frame of this session was refused, which closes its socket. */
  isRefused: boolean
}

/**
 * `cursor` is the sequence number up to which the subscription has the topic's frames. `heard` is the sequence number
 * of the newest frame that was not sent because an earlier part of the topic is being read.
 */
export type Subscription = { session: Session; topic: string; cursor: number; isReading: boolean; heard: number }

export type DeliveryOptions = {
  queue: FrameQueue
  /** Maximum unconfirmed frames of a session. */
  window: number
  metrics: BridgeMetrics
}

export const createDelivery = ({ queue, window, metrics }: DeliveryOptions) => {
  const send = (subscription: Subscription, frame: QueuedFrame): void => {
    const { session } = subscription
    subscription.cursor = frame.seq
    const text = queue.textOf(frame)
    if (text === undefined) {
      // The frame's text is damaged, which the store has already logged and counted.
      queue.remove(frame)
      return
    }
    session.connection.send(text)
    session.unconfirmed.push({ ping: session.connection.ping(), frame })
    metrics.deliveries.inc()
  }

  const hasRoom = ({ connection, unconfirmed }: Session): boolean => unconfirmed.length < window && connection.hasRoom()

  /** Sends frames of a page while there is room. Returns false if the next page must be read. */
  const sendPage = (subscription: Subscription, { frames, end }: Page): boolean => {
    const { session } = subscription
    for (const frame of frames) {
      if (frame.seq <= subscription.cursor) continue
      if (frame.publisher === session.number) {
        subscription.cursor = frame.seq
        continue
      }
      if (!hasRoom(session)) {
        session.behind.add(subscription)
        return true
      }
      send(subscription, frame)
    }
    if (end !== undefined) subscription.cursor = Math.max(subscription.cursor, end)
    return end !== undefined && subscription.heard <= subscription.cursor
  }

  /** Reads pages until the subscription has all frames of the topic, has no room, or has ended. */
  const readPages = async (subscription: Subscription, first: Promise<Page>): Promise<void> => {
    const { session, topic } = subscription
    subscription.isReading = true
    try {
      for (let page = first; ; page = Promise.resolve(queue.read(topic, subscription.cursor))) {
        subscription.heard = 0
        const read = await page
        if (session.subscriptions.get(topic) !== subscription) return
        if (sendPage(subscription, read)) return
      }
    } catch {
      // The queue has already logged the unexpected error, so the subscription only waits for `tick` to try again.
      session.behind.add(subscription)
    } finally {
      subscription.isReading = false
    }
  }

  /** Sends queued frames after the cursor while there is room. */
  const catchUp = (subscription: Subscription): void => {
    subscription.session.behind.delete(subscription)
    if (subscription.isReading) {
      subscription.heard = Number.POSITIVE_INFINITY
      return
    }
    const page = queue.read(subscription.topic, subscription.cursor)
    if (page instanceof Promise) void readPages(subscription, page)
    else sendPage(subscription, page)
  }

  const drain = (session: Session): void => {
    for (const subscription of session.behind) {
      if (!hasRoom(session)) return
      catchUp(subscription)
    }
  }

  return {
    catchUp,

    /**
     * Sends a new frame to a subscriber that has all earlier frames. Returns false if the frame was not sent: it is the
     * subscriber's own frame, or the subscriber will read it from the queue later. `before` is as in `Subscribers`.
     */
    offer: (subscription: Subscription, frame: QueuedFrame, before: number): boolean => {
      const { session } = subscription
      if (subscription.isReading) subscription.heard = Math.max(subscription.heard, frame.seq)
      if (subscription.isReading || session.behind.has(subscription) || frame.seq <= subscription.cursor) return false
      if (before > subscription.cursor) {
        catchUp(subscription)
        return false
      }
      if (session.number === frame.publisher) {
        subscription.cursor = frame.seq
        return false
      }
      if (!hasRoom(session)) {
        session.behind.add(subscription)
        return false
      }
      send(subscription, frame)
      return true
    },

    drain,

    confirm: (session: Session, ping: number): void => {
      const { unconfirmed } = session
      const open = unconfirmed.findIndex(sent => !(sent.ping <= ping))
      const confirmed = unconfirmed.splice(0, open === -1 ? unconfirmed.length : open)
      for (const { frame } of confirmed) queue.remove(frame)
      drain(session)
    },

    /** Ends the subscriptions of a closed socket. Its unconfirmed frames stay queued. */
    end: (session: Session): void => {
      session.subscriptions.clear()
      session.behind.clear()
      for (const { frame } of session.unconfirmed) if (queue.keep(frame)) metrics.returns.inc()
    },

    /** Stores unconfirmed frames, and lets subscriptions that are behind read the queue. */
    tick: (session: Session): void => {
      for (const { frame } of session.unconfirmed) queue.keep(frame)
      drain(session)
    },
  }
}
