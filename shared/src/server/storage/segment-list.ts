/** The segments of a log, oldest first: tracks their live bytes, and syncs and removes their files. */
import { type Segment, type SegmentFiles, segmentNumbers, segmentPath } from './segment-files.ts'

export type SegmentList = ReturnType<typeof openSegmentList>

/** Lists the segments of a log in a directory. Calls `onFailure` if a file could not be removed. */
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
  /** The segment whose live records are being moved to the end. */
  let held: Segment | undefined
  const total = { disk: 0, live: 0 }
  const dirty = new Set<Segment>()
  /** True after a failed sync. Then no file is removed, because the copies of its records may not be on disk. */
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
    /** Bytes of all files, and of the live records in them. */
    total: total as Readonly<typeof total>,
    /** The segment being written. Starts one if there is none. */
    head: (): Segment => {
      if (head) return head
      // A segment's number is never reused, because the earlier file may not have been removed yet.
      lastNumber += 1
      head = segmentOf(lastNumber)
      all.push(head)
      return head
    },
    /** Makes the next record start a new segment. */
    seal: (): void => {
      head = undefined
      collect()
    },
    /** Sets the size of a segment's file. */
    setLength: (segment: Segment, length: number): void => {
      total.disk += length - segment.length
      segment.length = length
    },
    /** Marks a file as written, for the next `sync`. */
    markDirty: (segment: Segment): void => {
      dirty.add(segment)
    },
    /** Adds the length of a record to the live bytes. */
    retain: (segment: Segment, length: number): void => {
      segment.live += length
      total.live += length
    },
    /** Subtracts the length of a record from the live bytes. */
    release: (segment: Segment, length: number): void => {
      segment.live -= length
      total.live -= length
      if (segment.live === 0 && segment === all[0]) collect()
    },
    /** Removes the oldest files without live records, unless the last sync failed. */
    collect,
    /** The oldest segment, unless it is being written. */
    oldest: (): Segment | undefined => (all[0] === head ? undefined : all[0]),
    /** Protects one segment from removal. Undefined ends the protection. */
    hold: (segment: Segment | undefined): void => {
      held = segment
    },
    isDirty: (): boolean => dirty.size > 0,
    /** Syncs all files written since the last sync. */
    sync,
    /** Resolves when all pending removals are done. */
    removed: (): Promise<void> => removed,
  }
}
