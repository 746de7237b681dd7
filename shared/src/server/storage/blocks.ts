/** Keeps the newest bytes of a log in memory, because most reads follow soon after the write. */
import type { Segment } from './segment-files.ts'

/** Size of a block in bytes. A longer record gets its own block. */
const BLOCK_BYTES = 64 * 1024
/** Maximum bytes of blocks in memory. */
const KEPT_BYTES = 16 * 1024 * 1024

/**
 * A range of a segment from offset `start` of its file. `end` bytes are in use, `written` of them are in the file.
 * `live` counts the records still referenced. Without `bytes`, the contents are in the file only.
 */
export type Block = {
  readonly segment: Segment
  readonly start: number
  bytes: Buffer | undefined
  end: number
  written: number
  live: number
}

/** Returns a block with the contents of a segment that an earlier process has written. */
export const storedBlock = (segment: Segment): Block => ({
  segment,
  start: 0,
  bytes: undefined,
  end: segment.length,
  written: segment.length,
  live: 0,
})

/** A block that is being written. */
export type OpenBlock = Block & { bytes: Buffer }

/** Location of a record: its block, the offset in it, and its length. A length of 0 means no record. */
export type Place = { block: Block; at: number; length: number }

/** Block of places without a record. */
export const NOWHERE: Block = storedBlock({ number: 0, path: '', length: 0, live: 0 })

export type BlockMemory = {
  /** Allocates bytes for a block of at least that size. */
  take: (room: number) => Buffer
  /** Keeps the bytes of a written block while they are among the newest. */
  keep: (block: Block) => void
  /** Drops the bytes of a block that is no longer referenced. */
  release: (block: Block) => void
}

/** Keeps about `capacity` bytes. Reuses buffers, because allocating new ones costs more. */
export const createBlockMemory = (capacity = KEPT_BYTES): BlockMemory => {
  /** Oldest first. */
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
