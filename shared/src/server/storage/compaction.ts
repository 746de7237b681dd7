/** Keeps the files of a log within their bound: what is live in the oldest is appended again, and the file goes. */
import type { Damage } from './damage.ts'
import type { Owner, Payload, Place } from './log.ts'
import { HEAD_BYTES, NOTE, recordsIn } from './record.ts'
import { FILE_HEAD_BYTES, type Segment } from './segment-files.ts'

/** Bytes that are looked at in one turn of the event loop. */
const STEP_BYTES = 256 * 1024

export type CompactionOptions = {
  /** The oldest segment, unless it is the one that is written to. */
  oldest: () => Segment | undefined
  isWasteful: () => boolean
  readWhole: (segment: Segment) => Buffer
  /** Keeps the segment from being removed. */
  hold: (segment: Segment) => void
  /** Removes the segment, once all that was appended is on the disk; without `isEmpty` it stays. */
  letGo: (segment: Segment, isEmpty: boolean) => Promise<void>
  append: (kind: number, payload: Payload, place: Place) => void
  commit: () => Promise<void>
  onDamage: (damage: Damage) => void
}

export const createCompaction = (options: CompactionOptions) => {
  const { oldest, isWasteful, readWhole, hold, letGo, append, commit, onDamage } = options
  let owner: Owner = { find: () => undefined }
  let isOpen = true
  let running: Promise<void> | undefined

  const moveRecord = (segment: Segment, kind: number, bytes: Buffer, at: number, end: number): void => {
    const payload = { bytes, start: at + HEAD_BYTES, end }
    const place = owner.find(kind, payload)
    if (!place || place.length === 0 || place.block.segment !== segment || place.block.start + place.at !== at) return
    append(kind, payload, place)
    owner.moved?.(kind, place)
  }

  const move = async (segment: Segment): Promise<void> => {
    const bytes = readWhole(segment)
    let pausedAt = 0
    for (const { kind, at, end } of recordsIn(bytes, segment.number, FILE_HEAD_BYTES)) {
      if (kind === undefined) onDamage({ path: segment.path, at, bytes: end - at, reason: 'no valid record is there' })
      else if ((kind & NOTE) === 0) moveRecord(segment, kind, bytes, at, end)
      if (end - pausedAt < STEP_BYTES) continue
      pausedAt = end
      await commit()
      if (!isOpen) throw new Error('the log is being closed')
    }
    await commit()
  }

  const run = async (): Promise<void> => {
    for (let segment = oldest(); isOpen && segment && isWasteful(); segment = oldest()) {
      hold(segment)
      let isEmpty = false
      try {
        await move(segment)
        isEmpty = true
      } catch {
        // What the disk did not take is where it was.
        return
      } finally {
        await letGo(segment, isEmpty)
      }
    }
  }

  return {
    setOwner: (named: Owner): void => {
      owner = named
    },
    /** Begins unless it is under way or nothing is to be done. */
    start: (): void => {
      if (running || !isWasteful()) return
      running = run().finally(() => {
        running = undefined
      })
    },
    stop: async (): Promise<void> => {
      isOpen = false
      await running
    },
  }
}
