/**
 * The queue of unconfirmed frames as the hub uses it. local-queue.ts keeps it in this process and on disk, and
 * redis/redis-queue.ts in Redis, for any number of bridges.
 */
import type { Account, Payers, Resource, Shares } from '@heliograph/shared/server/limits/shares'

/** Limits, each a configuration row. */
export type QueueLimits = { topicFrames: number; topicBytes: number; storeFrames: number; storeBytes: number }

/** `oldestAt` is Unix time in milliseconds. */
export type QueueSize = { topics: number; frames: number; bytes: number; oldestAt?: number }

/** An account that has used up its share of a resource. */
export type SpentShare = { account: Account; resource: Resource }

/** Returns the share of `payers` that has no room for a frame of that size, if any. */
export const spentShare = (shares: Shares, payers: Payers, size: number): SpentShare | undefined => {
  const byCount = shares.exhausted(payers, 'messages', 1)
  if (byCount) return { account: byCount, resource: 'messages' }
  const byBytes = shares.exhausted(payers, 'bytes', size)
  return byBytes && { account: byBytes, resource: 'bytes' }
}

/** Publisher of a frame that no open session of this process has sent. */
export const NO_SESSION = 0

/** A published frame. `seq` increases in the order of its topic. */
export type QueuedFrame = {
  readonly seq: number
  readonly topic: string
  /** Number of the session that sent it, or NO_SESSION. */
  readonly publisher: number
  /** Undefined if it is not in memory. `textOf` of the queue returns it in any case. */
  text: string | undefined
}

/** `payers` are charged while the frame is queued. */
export type Publication = { topic: string; text: string; publisher: number; payers: Payers }

/** The reason for which a frame was not accepted: a limit, a share, or storage that cannot be used. */
export type Refusal = { limit: keyof QueueLimits } | { spent: SpentShare } | 'storageUnavailable'

/** A part of a topic. `end` is the sequence number up to which it is complete, or undefined if there is more to read. */
export type Page = { frames: Iterable<QueuedFrame>; end: number | undefined }

/** The subscribers of this process. */
export type Subscribers = {
  /**
   * Sends a new frame. Called in the order of the topic. `before` is the sequence number of the topic's frame before it, so
   * that a subscriber that does not have that reads the topic; 0 if none can be missed. Returns true if at least one
   * subscriber was sent the frame.
   */
  deliver: (frame: QueuedFrame, before: number) => boolean
  /** Called after frames may not have been passed to `deliver`: all subscribers read their topics. */
  catchUp: () => void
}

export type FrameQueue = {
  /** Names the receiver of new frames. Called once. */
  serve: (subscribers: Subscribers) => void
  /** Adds a frame and delivers it. It stays queued until it is confirmed or expires. */
  publish: (publication: Publication) => Refusal | undefined | Promise<Refusal | undefined>
  /**
   * Reads frames after a sequence number, in order. All later frames of the topic are delivered until `detach`. Rejects if
   * the storage cannot be used.
   */
  read: (topic: string, after: number) => Page | Promise<Page>
  /** Called when the topic's last subscriber has left. */
  detach: (topic: string) => void
  /** Text of a frame. Undefined if it can no longer be read. */
  textOf: (frame: QueuedFrame) => string | undefined
  /** Removes a frame: it was delivered, or cannot be read. */
  remove: (frame: QueuedFrame) => void
  /** Stores a sent frame that is not confirmed. Returns false if it is no longer queued. */
  keep: (frame: QueuedFrame) => boolean
  /** Removes expired frames and retries what failed. Called once a second. */
  tick: () => Promise<void>
  size: () => QueueSize
  /** Number of frames that survive a crash of this process. */
  stored: () => number
  /** Resolves when all publications are accepted or refused. */
  settled: () => Promise<void>
  /** Resolves when everything is stored. */
  close: () => Promise<void>
}
