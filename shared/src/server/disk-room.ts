/**
 * Room for the file of a store to grow. LMDB does not survive a write that the system refuses: its own account of the
 * failure is longer than the memory it has for it. So it is never given one to make: where room is short, the bytes that
 * a commit will need are added to the file first, as zeros, and a commit that has no room is refused before it begins.
 */
import { closeSync, fstatSync, openSync, readFileSync, statfsSync, writeSync } from 'node:fs'

const KB = 1024
const MB = 1024 * KB

/** Bytes beside which no commit counts. */
const PLENTY = 256 * MB
/** Milliseconds for which it is believed that there are as many. */
const LOOK_AGAIN = 100
/** Bytes that any commit may take, and how many times the length of what it stores. */
const COMMIT_BYTES = 64 * KB
const OVERHEAD = 1.5
/** Bytes that what is stored leaves to those who take something out: that costs room before it gives some. */
const RESERVE = MB
/**
 * What is taken out leaves room inside the file, in pieces. A commit may count on it while that is a good part of the
 * file and many times what it needs; should the pieces not fit, there is a part of the reserve.
 */
const GOOD_PART = 1 / 4
const MANY = 4
const INSIDE_RESERVE = RESERVE / 4
/** Bytes added to the file beyond those that are needed now, and at once. */
const STEP = MB
const ZEROS = Buffer.alloc(64 * KB)

export type FileUse = {
  path: string
  /** Bytes from the start of the file to the end of what is in it. */
  used: () => number
  /** Bytes before that end that hold nothing. */
  unused: () => number
}

export type DiskRoom = {
  /** Makes room for a commit that stores about so many bytes; 0 for one that only takes out. Throws why there is none. */
  claim: (bytes: number) => void
  close: () => void
}

/** Bytes that are free on the disk of a file or folder. */
export const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** Bytes of the longest file that this process may write. */
const longestFile = (): number => {
  try {
    const [, soft] = /^Max file size +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export const NO_SPACE = 'no space is left on its disk'

const describe = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return NO_SPACE
  if (code === 'EFBIG') return 'its file has reached the longest length that this process may write'
  return thrown instanceof Error ? thrown.message : String(thrown)
}

export const openDiskRoom = ({ path, used, unused }: FileUse): DiskRoom => {
  const file = openSync(path, 'r+')
  let plentyUntil = 0

  const hasPlenty = (): boolean => {
    const now = performance.now()
    if (now < plentyUntil) return true
    if (Math.min(freeBytes(path), longestFile() - used()) < PLENTY) return false
    plentyUntil = now + LOOK_AGAIN
    return true
  }

  /** Adds zeros up to that length. Throws what the system says. */
  const grow = (length: number): void => {
    for (let at = fstatSync(file).size; at < length; )
      at += writeSync(file, ZEROS, 0, Math.min(ZEROS.length, length - at), at)
  }

  return {
    claim: bytes => {
      if (hasPlenty()) return
      const end = used()
      const need = COMMIT_BYTES + OVERHEAD * bytes
      const ahead = (): number => fstatSync(file).size - end
      try {
        if (ahead() < need + RESERVE) grow(end + need + RESERVE + STEP)
      } catch (thrown) {
        const left = ahead() - need
        if (bytes === 0 ? left >= 0 : left >= RESERVE) return
        if (bytes > 0 && left >= INSIDE_RESERVE && unused() >= GOOD_PART * end + MANY * need) return
        throw new Error(describe(thrown), { cause: thrown })
      }
    },
    close: () => closeSync(file),
  }
}
