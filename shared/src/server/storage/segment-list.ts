/** The segments of a log, the oldest first: what is live in them, which is written to, and when they are synced and removed. */
import { type Segment, type SegmentFiles, segmentNumbers, segmentPath } from './segment-files.ts'

export type SegmentList = ReturnType<typeof openSegmentList>

/** Lists the segments of a log that are in a folder. `onFailure` hears why one could not be removed. */
export const openSegmentList = (
  folder: string,
  name: string,
  files: SegmentFiles,
  onFailure: (thrown: unknown) => void,
) => {
  const segmentOf = (number: number): Segment => ({
    number,
    path: segmentPath(folder, name, number),
    length: 0,
    live: 0,
  })
  const all = segmentNumbers(folder, name).map(segmentOf)
  let lastNumber = all.at(-1)?.number ?? 0
  let head: Segment | undefined
  /** The segment whose live records are being moved to the head. */
  let held: Segment | undefined
  const total = { disk: 0, live: 0 }
  const dirty = new Set<Segment>()
  /** No file is removed then: what replaced its records may not be on the disk. */
  let hasSyncFailed = false
  let synced: Promise<void> = Promise.resolve()
  let nextSync: Promise<void> | undefined
  let removed: Promise<void> = Promise.resolve()

  const sync = (): Promise<void> => {
    nextSync ??= synced.then(async () => {
      nextSync = undefined
      const written = [...dirty]
      dirty.clear()
      if (written.length === 0) return
      try {
        await files.sync(written)
        hasSyncFailed = false
      } catch (thrown) {
        hasSyncFailed = true
        for (const segment of written) dirty.add(segment)
        throw thrown
      }
    })
    synced = nextSync.catch(() => undefined)
    return nextSync
  }

  const remove = (segment: Segment): void => {
    total.disk -= segment.length
    dirty.delete(segment)
    removed = removed.then(() => files.remove(segment)).catch(onFailure)
  }

  const collect = (): void => {
    if (hasSyncFailed) return
    for (let oldest = all[0]; oldest && oldest !== head && oldest !== held && oldest.live === 0; oldest = all[0]) {
      all.shift()
      remove(oldest)
    }
  }

  return {
    all: all as readonly Segment[],
    /** Bytes of all files, and those of them that are live. */
    total: total as Readonly<typeof total>,
    /** The segment that is written to, which begins if there is none. */
    head: (): Segment => {
      if (head) return head
      // A number is not used twice: the file that had it may not be removed yet.
      lastNumber += 1
      head = segmentOf(lastNumber)
      all.push(head)
      return head
    },
    /** What comes next goes into another segment. */
    seal: (): void => {
      head = undefined
      collect()
    },
    /** The file of a segment has so many bytes now. */
    setLength: (segment: Segment, length: number): void => {
      total.disk += length - segment.length
      segment.length = length
    },
    /** The file was written to, and the next `sync` brings it to the disk. */
    markDirty: (segment: Segment): void => {
      dirty.add(segment)
    },
    /** A record of so many bytes is live. */
    retain: (segment: Segment, length: number): void => {
      segment.live += length
      total.live += length
    },
    /** A record of so many bytes is live no more. */
    release: (segment: Segment, length: number): void => {
      segment.live -= length
      total.live -= length
      if (segment.live === 0 && segment === all[0]) collect()
    },
    /** Removes the oldest files while nothing in them is live, unless the last sync failed. */
    collect,
    /** The oldest segment, unless it is the one that is written to. */
    oldest: (): Segment | undefined => (all[0] === head ? undefined : all[0]),
    /** Keeps a segment from being removed, until there is another or none to keep. */
    hold: (segment: Segment | undefined): void => {
      held = segment
    },
    isDirty: (): boolean => dirty.size > 0,
    /** Brings all that was written to the disk. */
    sync,
    /** Resolves when all that was to be removed is. */
    removed: (): Promise<void> => removed,
  }
}
