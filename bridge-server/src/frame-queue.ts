/**
 * Interface of the queue of unconfirmed frames. queue.ts implements it in this process and on disk, and
 * redis/redis-queue.ts in Redis, for any number of bridges.
 */
import type { Account, Payers, Resource, Shares } from '@heliograph/shared/server/limits/shares'

/** Limits, each of which is a setting. */
export type QueueLimits = { topicFrames: number; topicBytes: number; storeFrames: number; storeBytes: number }

/** What is queued. `oldestAt` is the Unix time in ms at which the oldest frame arrived. */
export type QueueSize = { topics: number; frames: number; bytes: number; oldestAt?: number }

/** An account, and the resource of which it has used up its share. */
export type SpentShare = { account: Account; resource: Resource }

/** Returns the share of `payers` that has no room for a frame of that size, if any. */
export const spentShare = (shares: Shares, payers: Payers, size: number): SpentShare | undefined => {
  const byCount = shares.exhausted(payers, 'messages', 1)
  if (byCount) return { account: byCount, resource: 'messages' }
  const byBytes = shares.exhausted(payers, 'bytes', size)
  return byBytes && { account: byBytes, resource: 'bytes' }
}

/** `publisher` of a frame that no session of this process has sent. */
export const NO_SESSION = 0

/** A published frame. `seq` increases in the order of its topic. */
export type QueuedFrame = {
  readonly seq: number
  readonly topic: string
  /** Number of the session that sent it, or NO_SESSION. */
  readonly publisher: number
  /** Undefined if the text is not in memory. The queue's `textOf` then reads it. */
  text: string | undefined
}

/** A frame to publish. `payers` are charged while it is queued. */
export type Publication = { topic: string; text: string; publisher: number; payers: Payers }

/** Reason for refusing a frame: a limit is reached, a share is used up, or the storage is unavailable. */
export type Refusal = { limit: keyof QueueLimits } | { spent: SpentShare } | 'storageUnavailable'

/**
 * A part of a topic. `end` is the sequence number up to which it is complete, or undefined if there is more to read.
 */
export type Page = { frames: Iterable<QueuedFrame>; end: number | undefined }

/** The subscribers of this process. */
export type Subscribers = {
  /**
   * Sends a new frame. Called in the order of the topic's frames. Returns true if the frame was sent to at least one
   * subscriber. `before` is the sequence number of the topic's previous frame, or 0 if no frame can be missed. A
   * subscriber that has missed the previous frame reads the topic.
   */
  deliver: (frame: QueuedFrame, before: number) => boolean
  /** Makes all subscribers read their topics. Called after frames may have been missed. */
  catchUp: () => void
}

export type FrameQueue = {
  /** Sets the receiver of new frames. Called once. */
  serve: (subscribers: Subscribers) => void
  /**
   * Adds a frame and delivers it. The frame stays queued until it is confirmed or expires. Returns a refusal, if any.
   */
  publish: (publication: Publication) => Refusal | undefined | Promise<Refusal | undefined>
  /**
   * Reads frames after a sequence number, in order. From then on, new frames of the topic are delivered until `detach`.
   * Rejects if the storage is unavailable.
   */
  read: (topic: string, after: number) => Page | Promise<Page>
  /** Called when the topic's last subscriber has left. */
  detach: (topic: string) => void
  /** Returns a frame's text. Returns undefined if it is damaged or removed. */
  textOf: (frame: QueuedFrame) => string | undefined
  /** Removes a frame that was delivered or cannot be read. */
  remove: (frame: QueuedFrame) => void
  /** Stores a sent frame that is not confirmed. Returns false if it is no longer queued. */
  keep: (frame: QueuedFrame) => boolean
  /** Removes expired frames, and retries failed writes. Called once a second. */
  tick: () => Promise<void>
  size: () => QueueSize
  /** Returns the number of frames that survive a crash of this process. */
  stored: () => number
  /** Resolves when all publications are accepted or refused. */
  settled: () => Promise<void>
  /** Resolves when everything is stored. */
  close: () => Promise<void>
}
