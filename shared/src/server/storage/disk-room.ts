/** Room on the disk. Some is left to notes and compaction: to take something out costs room before it gives some. */
import { statfsSync } from 'node:fs'

const MB = 1024 * 1024
/** Bytes beside which no write counts, and the milliseconds for which it is believed that there are as many. */
const PLENTY = 256 * MB
const LOOK_AGAIN = 100
/** Bytes that new records leave free: what compaction needs at most to empty one file. */
const RESERVE = 8 * MB

export const NO_SPACE = 'no space is left on its disk'

/** Bytes that are free on the disk of a file or folder. */
export const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** Why a write failed, as a person reads it. */
export const reasonOf = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return NO_SPACE
  return thrown instanceof Error ? thrown.message : String(thrown)
}

export type DiskRoom = {
  /** Throws if so many bytes of new records do not fit. */
  claim: (bytes: number) => void
}

export const createDiskRoom = (folder: string): DiskRoom => {
  let plentyUntil = 0
  return {
    claim: bytes => {
      const now = performance.now()
      if (now < plentyUntil) return
      const free = freeBytes(folder)
      if (free >= PLENTY) plentyUntil = now + LOOK_AGAIN
      if (free < RESERVE + bytes) throw new Error(NO_SPACE)
    },
  }
}
