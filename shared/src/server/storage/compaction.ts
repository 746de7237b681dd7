/** Limits the disk space of a log: copies the live records of the oldest file to the end and removes the file. */
import type { Place } from './blocks.ts'
import type { Damage } from './damage.ts'
import { HEAD_BYTES, NOTE, type Payload, recordsIn } from './record.ts'
import { FILE_HEAD_BYTES, type Segment, type SegmentFiles } from './segment-files.ts'
import type { SegmentList } from './segment-list.ts'

/** Bytes processed per turn of the event loop. */
const STEP_BYTES = 256 * 1024
/** Maximum disk space of the log: a multiple of the live bytes, plus a number of segments. */
const MAX_DISK_RATIO = 2
const SPARE_SEGMENTS = 4

export type Owner = {
  /** Returns the place of a record if it is live. */
  find: (kind: number, payload: Payload) => Place | undefined
  /**
   * Called after a record was copied. Appends the notes about the record that are still needed, because older notes may
   * be removed.
   */
  moved?: (kind: number, place: Place) => void
}

export type CompactionOptions = {
  segments: SegmentList
  files: SegmentFiles
  /** File size in bytes at which a new file is started. */
  segmentBytes: number
  /** True while the disk refuses new records. Then as few files as possible are kept. */
  isFailing: () => boolean
  /** Appends a copy of a record, and updates its place. */
  append: (kind: number, payload: Payload, place: Place) => void
  /** Resolves when all appended records are written. */
  commit: () => Promise<void>
  onFailure: (thrown: unknown) => void
  onDamage: (damage: Damage) => void
}

export const createCompaction = (options: CompactionOptions) => {
  const { segments, files, segmentBytes, isFailing, append, commit, onFailure, onDamage } = options
  let owner: Owner = { find: () => undefined }
  let isOpen = true
  let running: Promise<void> | undefined

  const isWasteful = (): boolean => {
    const { disk, live } = segments.total
    const most = isFailing() ? live + segmentBytes : MAX_DISK_RATIO * live + SPARE_SEGMENTS * segmentBytes
    return disk > most || segments.all.length > 2 * SPARE_SEGMENTS + (2 * MAX_DISK_RATIO * live) / segmentBytes
  }

  const moveRecord = (segment: Segment, kind: number, bytes: Buffer, at: number, end: number): void => {
    const payload = { bytes, start: at + HEAD_BYTES, end }
    const place = owner.find(kind, payload)
    if (!place || place.length === 0 || place.block.segment !== segment || place.block.start + place.at !== at) return
    append(kind, payload, place)
    owner.moved?.(kind, place)
  }

  const move = async (segment: Segment): Promise<void> => {
    const bytes = files.readWhole(segment)
    let pausedAt = 0
    for (const { kind, at, end } of recordsIn(bytes, segment.number, FILE_HEAD_BYTES)) {
      if (kind === undefined) onDamage({ path: segment.path, at, bytes: end - at, reason: 'no valid record is there' })
      else if ((kind & NOTE) === 0) moveRecord(segment, kind, bytes, at, end)
      if (end - pausedAt < STEP_BYTES) continue
      pausedAt = end
      await commit()
      if (!isOpen) return
    }
    await commit()
  }

  const sync = async (): Promise<void> => {
    try {
      await segments.sync()
    } catch (thrown) {
      onFailure(thrown)
      throw thrown
    }
  }

  /** Moves all live records out of a segment and removes it. Throws and keeps the segment if the disk refuses a write. */
  const empty = async (segment: Segment): Promise<void> => {
    segments.hold(segment)
    try {
      await move(segment)
      await sync()
      // The segment has no live records any more. Unreadable records were not moved; reading such a record later
      // reports the damage.
      if (isOpen) segment.live = 0
    } finally {
      segments.hold(undefined)
      segments.collect()
    }
  }

  const run = async (): Promise<void> => {
    for (let oldest = segments.oldest(); isOpen && oldest && isWasteful(); oldest = segments.oldest())
      await empty(oldest)
  }

  return {
    setOwner: (named: Owner): void => {
      owner = named
    },
    /** Starts a run unless one is running or none is needed. */
    start: (): void => {
      if (running || !isWasteful()) return
      running = run()
        // The log has already reported the error for the whole group of writes.
        .catch(() => undefined)
        .finally(() => {
          running = undefined
        })
    },
    stop: async (): Promise<void> => {
      isOpen = false
      await running
    },
  }
}
