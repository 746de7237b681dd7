/** The frames that no socket is known to have yet: of each topic in order, within bounds, for a limited time. */
import {
  type Account,
  crowding,
  NOBODY,
  type Payers,
  partOfTopic,
  type Resource,
  type Shares,
} from '@heliograph/shared/server/shares'
import type { Frame, FrameStore } from './frame-store.ts'

/** Bounds, each a row of the configuration. */
export type QueueLimits = { topicFrames: number; topicBytes: number; storeFrames: number; storeBytes: number }

/** `oldestAt` is in ms of Unix time. */
export type QueueSize = { topics: number; frames: number; bytes: number; oldestAt?: number }

/** A share without room. */
export type SpentShare = { account: Account; resource: Resource }

export type Queue = {
  /** Takes a frame in, as the last of its topic, and charges it until it leaves. */
  add: (topic: string, text: string, publisher: number, payers?: Payers) => Frame
  /** The share that has no room for a frame of so many bytes. */
  exhausted: (payers: Payers, bytes: number) => SpentShare | undefined
  /**
   * Names a bound that is broken, of the topic, of what a payer may have of it, or of all. The last frame that came has to go
   * then, unless it need not wait.
   */
  brokenBound: (topic: string, payers?: Payers) => keyof QueueLimits | undefined
  /** The frames of a topic in order. */
  of: (topic: string) => Generator<Frame>
  /** True until the frame is taken out. */
  has: (frame: Frame) => boolean
  /** Takes a frame out. */
  remove: (frame: Frame) => void
  /** Takes out what has expired, and returns how many; called once a second. Expired frames are not handed out in any case. */
  sweep: () => number
  size: () => QueueSize
}

export type QueueOptions = {
  store: FrameStore
  limits: QueueLimits
  shares: Shares
  /** Milliseconds that a frame waits. */
  life: number
  /** Milliseconds of Unix time. */
  now?: () => number
}

type Topic = { frames: Set<Frame>; bytes: number }

/** Opens the queue on the frames that an earlier process left. */
export const openQueue = ({ store, limits, shares, life, now = Date.now }: QueueOptions): Queue => {
  /** All frames, the oldest first, and those of each topic. */
  const frames = new Set<Frame>()
  const topics = new Map<string, Topic>()
  let bytes = 0
  let lastSeq = 0

  /** What one address may have of a topic. */
  const parts = {
    frames: partOfTopic(limits.topicFrames, 'messages'),
    bytes: partOfTopic(limits.topicBytes, 'bytes'),
  }

  const isOver = ({ at }: Frame): boolean => at + life <= now()

  const enter = (frame: Frame): void => {
    const topic: Topic = topics.get(frame.topic) ?? { frames: new Set(), bytes: 0 }
    topics.set(frame.topic, topic)
    topic.frames.add(frame)
    topic.bytes += frame.size
    frames.add(frame)
    bytes += frame.size
    shares.take(frame.payers, 'messages', 1)
    shares.take(frame.payers, 'bytes', frame.size)
    lastSeq = frame.seq
  }

  const remove = (frame: Frame): void => {
    const topic = topics.get(frame.topic)
    if (!topic || !frames.delete(frame)) return
    topic.frames.delete(frame)
    topic.bytes -= frame.size
    bytes -= frame.size
    shares.give(frame.payers, 'messages', 1)
    shares.give(frame.payers, 'bytes', frame.size)
    if (topic.frames.size === 0) topics.delete(frame.topic)
    store.forget(frame)
    // A socket that never confirms what it was sent holds on to the frame, but not to its text.
    frame.text = undefined
  }

  const crowdedBound = (topic: Topic, payers: Payers): 'topicFrames' | 'topicBytes' | undefined => {
    const isCrowded = (most: number, sizeOf: (frame: Frame) => number): boolean =>
      crowding(payers, topic.frames, most, 0, sizeOf) !== undefined
    if (topic.frames.size > parts.frames && isCrowded(parts.frames, () => 1)) return 'topicFrames'
    return topic.bytes > parts.bytes && isCrowded(parts.bytes, ({ size }) => size) ? 'topicBytes' : undefined
  }

  for (const frame of store.load()) enter(frame)

  return {
    add: (topic, text, publisher, payers = NOBODY) => {
      const size = Buffer.byteLength(text)
      const seq = lastSeq + 1
      const frame: Frame = { seq, topic, at: now(), size, publisher, payers, text, isKept: false, isStored: false }
      enter(frame)
      return frame
    },
    exhausted: (payers, size) => {
      const byCount = shares.exhausted(payers, 'messages', 1)
      if (byCount) return { account: byCount, resource: 'messages' }
      const byBytes = shares.exhausted(payers, 'bytes', size)
      return byBytes && { account: byBytes, resource: 'bytes' }
    },
    brokenBound: (name, payers = NOBODY) => {
      const topic = topics.get(name)
      if (topic && topic.frames.size > limits.topicFrames) return 'topicFrames'
      if (topic && topic.bytes > limits.topicBytes) return 'topicBytes'
      if (frames.size > limits.storeFrames) return 'storeFrames'
      if (bytes > limits.storeBytes) return 'storeBytes'
      return topic && crowdedBound(topic, payers)
    },
    of: function* (topic) {
      for (const frame of topics.get(topic)?.frames ?? []) if (!isOver(frame)) yield frame
    },
    has: frame => frames.has(frame),
    remove,
    sweep: () => {
      let expired = 0
      for (const oldest of frames) {
        if (!isOver(oldest)) break
        remove(oldest)
        expired += 1
      }
      return expired
    },
    size: () => {
      const [oldest] = frames
      return { topics: topics.size, frames: frames.size, bytes, ...(oldest && { oldestAt: oldest.at }) }
    },
  }
}
