/**
 * The queue of one process: frames whose delivery is not confirmed, by topic, limited in size and time. It is in
 * memory; frames that are not confirmed soon are also on disk.
 */
import {
  addTo,
  crowding,
  NOBODY,
  type Payers,
  partOfTopic,
  type Shares,
  type Tally,
  tallyOf,
} from '@heliograph/shared/server/limits/shares'
import {
  type FrameQueue,
  type QueuedFrame,
  type QueueLimits,
  type QueueSize,
  type SpentShare,
  type Subscribers,
  spentShare,
} from './frame-queue.ts'
import type { Frame, FrameStore } from './frame-store.ts'

/** Queue in memory of frames whose delivery is not confirmed. It is ordered by topic, and limited in size and time. */
export type Queue = {
  /** Appends a frame to its topic and charges `payers` until it is removed. */
  add: (topic: string, text: string, publisher: number, payers?: Payers) => Frame
  /** Returns the share that has no room for a frame of that size, if any. */
  exhausted: (payers: Payers, bytes: number) => SpentShare | undefined
  /**
   * Returns a limit that is exceeded: of the topic, of a payer's part of the topic, or of all topics. The caller must
   * then remove the newest frame, unless it was delivered.
   */
  brokenBound: (topic: string, payers?: Payers) => keyof QueueLimits | undefined
  /** Yields the topic's frames in order, without expired frames. */
  of: (topic: string) => Generator<Frame>
  /** Returns a frame, or undefined if it was removed. */
  get: (seq: number) => Frame | undefined
  remove: (frame: Pick<QueuedFrame, 'seq'>) => void
  /** Returns the sequence number of the newest frame of all topics. */
  lastSeq: () => number
  /** Removes expired frames and returns their number. Called once a second; `of` skips expired frames in any case. */
  sweep: () => number
  size: () => QueueSize
}

type QueueOptions = {
  store: FrameStore
  limits: QueueLimits
  shares: Shares
  /** Milliseconds until a frame expires. */
  life: number
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

/**
 * `crowd` counts the frames and bytes of each payer. It is undefined until the topic is so full that one payer could
 * exceed its part.
 */
type Topic = { frames: Set<Frame>; bytes: number; crowd: Readonly<Record<'frames' | 'bytes', Tally>> | undefined }

const crowdOf = (topic: Topic): NonNullable<Topic['crowd']> => {
  topic.crowd ??= { frames: tallyOf(topic.frames, () => 1), bytes: tallyOf(topic.frames, ({ size }) => size) }
  return topic.crowd
}

/**
 * Adds a frame that entered its topic (1) to the crowd's counts, or subtracts a frame that left it (-1). Does nothing
 * if the topic has no crowd.
 */
const countFrame = ({ crowd }: Topic, { payers, size }: Frame, change: 1 | -1): void => {
  if (!crowd) return
  addTo(crowd.frames, payers, change)
  addTo(crowd.bytes, payers, change * size)
}

/** Opens the queue and loads the stored frames. */
export const openQueue = ({ store, limits, shares, life, now = Date.now }: QueueOptions): Queue => {
  const frames = new Map<number, Frame>()
  const topics = new Map<string, Topic>()
  let bytes = 0
  let lastSeq = 0

  /** Maximum number of frames, and of their bytes, that one address may have queued on a topic. */
  const addressLimits = {
    frames: partOfTopic(limits.topicFrames, 'messages'),
    bytes: partOfTopic(limits.topicBytes, 'bytes'),
  }

  const isExpired = ({ at }: Frame): boolean => at + life <= now()

  const enter = (frame: Frame): void => {
    const topic: Topic = topics.get(frame.topic) ?? { frames: new Set(), bytes: 0, crowd: undefined }
    topics.set(frame.topic, topic)
    topic.frames.add(frame)
    topic.bytes += frame.size
    countFrame(topic, frame, 1)
    frames.set(frame.seq, frame)
    bytes += frame.size
    shares.take(frame.payers, 'messages', 1)
    shares.take(frame.payers, 'bytes', frame.size)
    lastSeq = frame.seq
  }

  const remove = ({ seq }: Pick<QueuedFrame, 'seq'>): void => {
    const frame = frames.get(seq)
    const topic = frame && topics.get(frame.topic)
    if (!topic) return
    frames.delete(seq)
    topic.frames.delete(frame)
    topic.bytes -= frame.size
    countFrame(topic, frame, -1)
    bytes -= frame.size
    shares.give(frame.payers, 'messages', 1)
    shares.give(frame.payers, 'bytes', frame.size)
    if (topic.frames.size === 0) topics.delete(frame.topic)
    store.forget(frame)
    // A socket that never confirms the frame keeps it in memory, so at least its text is freed.
    frame.text = undefined
  }

  const crowdedBound = (topic: Topic, payers: Payers): 'topicFrames' | 'topicBytes' | undefined => {
    const { frames: mostFrames, bytes: mostBytes } = addressLimits
    if (topic.frames.size > mostFrames && crowding(payers, crowdOf(topic).frames, mostFrames, 0)) return 'topicFrames'
    return topic.bytes > mostBytes && crowding(payers, crowdOf(topic).bytes, mostBytes, 0) ? 'topicBytes' : undefined
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
    exhausted: (payers, size) => spentShare(shares, payers, size),
    brokenBound: (name, payers = NOBODY) => {
      const topic = topics.get(name)
      if (topic && topic.frames.size > limits.topicFrames) return 'topicFrames'
      if (topic && topic.bytes > limits.topicBytes) return 'topicBytes'
      if (frames.size > limits.storeFrames) return 'storeFrames'
      if (bytes > limits.storeBytes) return 'storeBytes'
      return topic && crowdedBound(topic, payers)
    },
    of: function* (topic) {
      for (const frame of topics.get(topic)?.frames ?? []) if (!isExpired(frame)) yield frame
    },
    get: seq => frames.get(seq),
    remove,
    lastSeq: () => lastSeq,
    sweep: () => {
      let expired = 0
      for (const oldest of frames.values()) {
        if (!isExpired(oldest)) break
        remove(oldest)
        expired += 1
      }
      return expired
    },
    size: () => {
      const [oldest] = frames.values()
      return { topics: topics.size, frames: frames.size, bytes, ...(oldest && { oldestAt: oldest.at }) }
    },
  }
}

/** `onExpired` is called with the number of expired frames. */
type LocalQueueOptions = QueueOptions & { onExpired: (frames: number) => void }

/** Opens the queue and loads the stored frames. */
export const openLocalQueue = ({ onExpired, ...options }: LocalQueueOptions): FrameQueue => {
  const queue = openQueue(options)
  const { store } = options
  let deliver: Subscribers['deliver'] = () => false

  return {
    serve: subscribers => {
      deliver = subscribers.deliver
    },

    publish: ({ topic, text, publisher, payers }) => {
      const spent = queue.exhausted(payers, Buffer.byteLength(text))
      if (spent) return { spent }
      const frame = queue.add(topic, text, publisher, payers)
      if (deliver(frame, 0)) return undefined
      const limit = queue.brokenBound(topic, payers)
      if (limit) queue.remove(frame)
      else store.keep(frame)
      return limit && { limit }
    },

    read: topic => ({ frames: queue.of(topic), end: queue.lastSeq() }),
    detach: () => undefined,
    textOf: ({ seq, text }) => text ?? store.textOf(seq),
    remove: queue.remove,

    keep: ({ seq }) => {
      const frame = queue.get(seq)
      if (frame) store.keep(frame)
      return frame !== undefined
    },

    tick: () => {
      onExpired(queue.sweep())
      return store.save()
    },
    size: queue.size,
    stored: store.count,
    settled: () => Promise.resolve(),
    close: store.save,
  }
}
