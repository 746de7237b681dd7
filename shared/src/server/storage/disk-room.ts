/** Tracks free disk space. Reserves a part for notes and compaction, which must write before they can free space. */
import { type StatsFs, statfsSync } from 'node:fs'

const MB = 1024 * 1024
/** With this many free bytes, the disk is not checked again for LOOK_AGAIN milliseconds. */
const PLENTY = 256 * MB
const LOOK_AGAIN = 100
/** Bytes that new records must leave free: the most that compaction needs to empty one file. */
const RESERVE = 8 * MB

export const NO_SPACE = 'the disk is full'

/**
 * Returns the free bytes of a file system. Returns undefined if it reports no blocks, as ramfs and tmpfs without a
 * size do, or blocks without a size.
 */
export const freeOf = ({ blocks, bavail, bsize }: Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'>): number | undefined =>
  blocks === 0 || bsize === 0 ? undefined : bavail * bsize

/** Returns the free bytes on the disk of a path, or undefined if they are unknown. */
export const freeBytes = (path: string): number | undefined => freeOf(statfsSync(path))

/** True if the disk of a path is known to have fewer free bytes. */
export const hasLessThan = (path: string, bytes: number): boolean => (freeBytes(path) ?? bytes) < bytes

/** Describes a failed write for the operator. */
export const reasonOf = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return NO_SPACE
  return thrown instanceof Error ? thrown.message : String(thrown)
}

export type DiskRoom = {
  /** Throws if there is no room for that many bytes of new records. */
  claim: (bytes: number) => void
}

export const createDiskRoom = (folder: string): DiskRoom => {
  let plentyUntil = 0
  return {
    claim: bytes => {
      const now = performance.now()
      if (now < plentyUntil) return
      const free = freeBytes(folder) ?? PLENTY
      if (free >= PLENTY) plentyUntil = now + LOOK_AGAIN
      if (free < RESERVE + bytes) throw new Error(NO_SPACE)
    },
  }
}
