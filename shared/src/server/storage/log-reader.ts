/** Reads a log's records from its files, verifies their checksums and reports damage. */
import { type Place, storedBlock } from './blocks.ts'
import type { Damage } from './damage.ts'
import { HEAD_BYTES, type Payload, recordsIn, validLength } from './record.ts'
import { FILE_HEAD_BYTES, headDamages, type Segment, type SegmentFiles, writtenLength } from './segment-files.ts'
import type { SegmentList } from './segment-list.ts'

export type LogReaderOptions = {
  folder: string
  name: string
  segments: SegmentList
  files: SegmentFiles
  /** Called if a damaged end could not be truncated. */
  onFailure: (thrown: unknown) => void
  onDamage: (damage: Damage) => void
}

/** Called with a record and its place. */
export type Visit = (kind: number, payload: Payload, place: Place) => void

export const createLogReader = ({ folder, name, segments, files, onFailure, onDamage }: LogReaderOptions) => {
  let scratch = Buffer.allocUnsafeSlow(FILE_HEAD_BYTES)

  /** Truncates the damaged end of the newest file, so that it is not reported again at the next start. */
  const cutEnd = (segment: Segment, bytes: Buffer, at: number): void => {
    try {
      files.cut(segment, at, bytes.subarray(at))
      segments.setLength(segment, at)
    } catch (thrown) {
      onFailure(thrown)
    }
  }

  const loadSegment = (
    { segment, bytes, written }: { segment: Segment; bytes: Buffer; written: number },
    visit: Visit,
    damaged: (damage: Damage) => void,
  ): void => {
    const { path, number } = segment
    const block = storedBlock(segment)
    for (const { kind, at, end } of recordsIn(bytes, number, FILE_HEAD_BYTES, written)) {
      if (kind !== undefined) {
        visit(kind, { bytes, start: at + HEAD_BYTES, end }, { block, at, length: end - at })
        continue
      }
      damaged({ path, at, bytes: end - at, reason: 'no valid record is there' })
      if (end === bytes.length && segment === segments.all.at(-1)) cutEnd(segment, bytes, at)
    }
  }

  return {
    /** Reads all records and damage in order. Throws if a file has another format. */
    load: (visit: Visit, heard: (damage: Damage) => void): void => {
      const damaged = (damage: Damage): void => {
        onDamage(damage)
        heard(damage)
      }
      let before: Segment | undefined
      let next = segments.all[0] && files.readWhole(segments.all[0])
      for (const [index, segment] of segments.all.entries()) {
        const bytes = next ?? Buffer.of()
        const following = segments.all[index + 1]
        next = following && files.readWhole(following)
        segments.setLength(segment, bytes.length)
        for (const damage of headDamages(segment, bytes, before, folder, name)) damaged(damage)
        const written = writtenLength(segment, following && next && { ...following, bytes: next })
        loadSegment({ segment, bytes, written }, visit, damaged)
        before = segment
      }
    },

    /** Reads a record's payload from its file. Valid until the next call; undefined if the record is damaged. */
    read: ({ block, at, length }: Place): Payload | undefined => {
      const { segment } = block
      if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
      const offset = block.start + at
      const bytes = scratch.subarray(0, length)
      let reason = 'its checksum does not match'
      try {
        const isWhole = files.read(segment, bytes, offset) === length
        if (isWhole && validLength(bytes, 0, segment.number, offset) === length)
          return { bytes, start: HEAD_BYTES, end: length }
      } catch (thrown) {
        reason = thrown instanceof Error ? thrown.message : String(thrown)
      }
      onDamage({ path: segment.path, at: offset, bytes: length, reason })
      return undefined
    },
  }
}
