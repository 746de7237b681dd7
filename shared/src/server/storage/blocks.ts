/** The newest bytes of a log, which stay in memory for the reads that mostly follow at once. */
import type { Segment } from './segment-files.ts'

/** Bytes of a block; a longer record has one of its own. */
const BLOCK_BYTES = 64 * 1024
/** Bytes of blocks that are kept. */
const KEPT_BYTES = 16 * 1024 * 1024

/**
 * A run of bytes of a segment, from offset `start` of its file: `end` of them are in use and `written` of these are in the
 * file. `live` counts the records that somebody refers to. Without `bytes` they are in the file only.
 */
export type Block = {
  readonly segment: Segment
  readonly start: number
  bytes: Buffer | undefined
  end: number
  written: number
  live: number
}

/** The bytes of a segment that an earlier process wrote. */
export const storedBlock = (segment: Segment): Block => ({
  segment,
  start: 0,
  bytes: undefined,
  end: segment.length,
  written: segment.length,
  live: 0,
})

/** A block that is written to. */
export type OpenBlock = Block & { bytes: Buffer }

/** Where a record lies: a block of the log, the offset in it, and the bytes that it takes; 0 when it is nowhere. */
export type Place = { block: Block; at: number; length: number }

/** The block of records that are nowhere. */
export const NOWHERE: Block = storedBlock({ number: 0, path: '', length: 0, live: 0 })

export type BlockMemory = {
  /** Bytes for a block of which so many are needed at least. */
  take: (room: number) => Buffer
  /** Keeps the bytes of a block that is written, while they are among the newest. */
  keep: (block: Block) => void
  /** Forgets the bytes of a block if they are kept: nobody reads it any more. */
  release: (block: Block) => void
}

/** Keeps about `capacity` bytes. Bytes of blocks that are forgotten are used again, as new ones cost more. */
export const createBlockMemory = (capacity = KEPT_BYTES): BlockMemory => {
  /** The oldest first. */
  const kept = new Set<Block>()
  const free: Buffer[] = []
  let held = 0

  const release = (block: Block): void => {
    if (!block.bytes || !kept.delete(block)) return
    held -= block.bytes.length
    if (block.bytes.length === BLOCK_BYTES && (free.length + 1) * BLOCK_BYTES <= capacity) free.push(block.bytes)
    block.bytes = undefined
  }

  return {
    take: room => (room <= BLOCK_BYTES && free.pop()) || Buffer.allocUnsafeSlow(Math.max(room, BLOCK_BYTES)),
    keep: block => {
      if (!block.bytes) return
      kept.add(block)
      held += block.bytes.length
      if (block.live === 0) release(block)
      for (const oldest of kept) {
        if (held <= capacity) return
        release(oldest)
      }
    },
    release,
  }
}
