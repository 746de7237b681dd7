/** Keeps the files of a log within their bound: what is live in the oldest is appended again, and the file goes. */
import type { Place } from './blocks.ts'
import type { Damage } from './damage.ts'
import { HEAD_BYTES, NOTE, type Payload, recordsIn } from './record.ts'
import { FILE_HEAD_BYTES, type Segment, type SegmentFiles } from './segment-files.ts'
import type { SegmentList } from './segment-list.ts'

/** Bytes that are looked at in one turn of the event loop. */
const STEP_BYTES = 256 * 1024
/** How many times what is live the files may take, and how many segments more. */
const MOST_DISK = 2
const SPARE_SEGMENTS = 4

export type Owner = {
  /** The place of a record, if it is live. */
  find: (kind: number, payload: Payload) => Place | undefined
  /** The record was appended again: notes before it may go. Appends those that are needed still. */
  moved?: (kind: number, place: Place) => void
}

export type CompactionOptions = {
  segments: SegmentList
  files: SegmentFiles
  /** Bytes of a file from which on the next one begins. */
  segmentBytes: number
  /** The disk takes no new records: files are kept as few as can be. */
  isFailing: () => boolean
  /** Appends a record again, which lies in that place from then on. */
  append: (kind: number, payload: Payload, place: Place) => void
  /** Resolves when all that was appended is written. */
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
    const most = isFailing() ? live + segmentBytes : MOST_DISK * live + SPARE_SEGMENTS * segmentBytes
    return disk > most || segments.all.length > 2 * SPARE_SEGMENTS + (2 * MOST_DISK * live) / segmentBytes
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

  /** Moves all live records of a segment and removes it. Throws, and keeps it, if the disk does not take them. */
  const empty = async (segment: Segment): Promise<void> => {
    segments.hold(segment)
    try {
      await move(segment)
      await sync()
      // A record that cannot be read is not moved: whoever asks for it hears of the damage.
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
    /** Begins unless it is under way or nothing is to be done. */
    start: (): void => {
      if (running || !isWasteful()) return
      running = run()
        // Why the disk did not take a record was reported with its group.
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
