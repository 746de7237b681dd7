/** The bytes of the newest chunks. Those of older ones are used again, as making and freeing them would cost more. */
import type { Chunk } from './message-tables.ts'

/** Bytes of a chunk that is full: four pages of LMDB, less the head of the first. A longer message has its own. */
const CHUNK_BYTES = 4 * 4096 - 16
/** Bytes of chunks that are kept besides the store. */
const KEPT_BYTES = 16 * 1024 * 1024

export type ChunkMemory = {
  /** Bytes for a chunk of which so many are needed at least. */
  take: (room: number) => Buffer
  /** Keeps the bytes of a chunk that is stored now, while they are among the newest. */
  keep: (chunk: Chunk) => void
  /** The chunk is not read any more. */
  release: (chunk: Chunk) => void
}

/** Keeps about `capacity` bytes. */
export const createChunkMemory = (capacity = KEPT_BYTES): ChunkMemory => {
  /** In the order in which they were stored. */
  const kept = new Set<Chunk>()
  const free: Buffer[] = []
  let held = 0

  const drop = (chunk: Chunk): void => {
    if (!chunk.bytes || !kept.delete(chunk)) return
    held -= chunk.bytes.length
    if (chunk.bytes.length === CHUNK_BYTES && (free.length + 1) * CHUNK_BYTES <= capacity) free.push(chunk.bytes)
    chunk.bytes = undefined
  }

  return {
    take: room => (room <= CHUNK_BYTES && free.pop()) || Buffer.allocUnsafeSlow(Math.max(room, CHUNK_BYTES)),
    keep: chunk => {
      if (!chunk.bytes) return
      kept.add(chunk)
      held += chunk.bytes.length
      if (chunk.live === 0) drop(chunk)
      for (const oldest of kept) {
        if (held <= capacity) return
        drop(oldest)
      }
    },
    release: drop,
  }
}
