/**
 * An append-only log in segment files with group commit: the records appended in one turn of the event loop are written
 * and acknowledged together at its end, with one system call.
 *
 * A record has a place and is live until it is released. A note has no place: it records a change to earlier
 * records. Files are removed oldest first, once they contain no live records. A note therefore outlives the records
 * that it refers to. When the files take more than twice the live bytes, the live records of the oldest file are
 * appended again (see compaction.ts).
 *
 * Two designs with LMDB were measured beside this one, in one run (docs/performance.md, "The store"). The rows are those
 * of `npm run bench`; w1, w1s, w1k and w2 are ratios to a server that stores nothing.
 *
 * |               | w1   | w1s  | w1k  | w2 p50 | w4d stored/s | bytes a message |
 * | LMDB alone    | 0.33 | 0.62 | 0.57 | 1.52   | 109,000      | 472             |
 * | log and LMDB  | 0.30 | 0.59 | 0.58 | 1.10   | 104,000      | 470             |
 * | log alone     | 0.31 | 0.62 | 0.60 | 1.10   | 114,000      | 448             |
 */
import { atEndOfTurn } from '../process/turn.ts'
import { createBlockMemory, type OpenBlock, type Place } from './blocks.ts'
import { createCompaction, type Owner } from './compaction.ts'
import type { Damage } from './damage.ts'
import type { DiskRoom } from './disk-room.ts'
import { type Group, newGroup, refuse, settle } from './group.ts'
import { createLogHead } from './log-head.ts'
import { createLogReader, type Visit } from './log-reader.ts'
import { HEAD_BYTES, type Payload } from './record.ts'
import { openSegmentFiles } from './segment-files.ts'
import { openSegmentList } from './segment-list.ts'

const SEGMENT_BYTES = 8 * 1024 * 1024

export type LogOptions = {
  folder: string
  /** Prefix of the log's file names. */
  name: string
  /** A committed record survives the end of the process (`process`), or also a power failure (`disk`). */
  durability: 'process' | 'disk'
  /** File size in bytes at which a new file is started. */
  segmentBytes?: number
  room: DiskRoom
  /** True while the disk refuses new records. Then as few files as possible are kept. */
  isFailing: () => boolean
  /** Called with the error of a failed write. */
  onFailure: (thrown: unknown) => void
  /** Called for unreadable bytes. */
  onDamage: (damage: Damage) => void
}

export type Log = {
  /** Reads all records and damage in order. Call it once, before appending. */
  load: (visit: Visit, onDamage?: (damage: Damage) => void) => void
  /** Marks a loaded record as live. */
  retain: (place: Place) => void
  /** Returns a buffer with room for the next record, valid until it is appended. */
  reserve: (room: number) => Readonly<{ bytes: Buffer; at: number }>
  /**
   * Appends the reserved record and stores its location in `place`. If the place already had a record, this one replaces
   * it; if the write fails, the previous record is restored.
   */
  append: (kind: number, length: number, place: Place) => void
  /**
   * Appends the reserved record as a note, whose kind has the bit NOTE. Notes whose write fails are kept and retried.
   */
  note: (kind: number, length: number) => void
  /**
   * Runs a function. All or none of the records that it appends are stored, even if the
   * process is killed during the write.
   */
  batch: (run: () => void) => void
  /** Calls `prepare` before each write, so that it can append deferred notes. */
  beforeWrite: (prepare: () => void) => void
  /** Resolves when everything appended so far is durable, rejects if the write fails. All calls in a turn share one promise. */
  commit: () => Promise<void>
  /** Like `commit`, for notes: never rejects, because notes whose write fails are kept. */
  noted: () => Promise<void>
  /**
   * Reads the payload of a live record, valid until the next call. Verifies the checksum if it reads the file. Returns
   * undefined for a damaged record.
   */
  read: (place: Place) => Payload | undefined
  /** Marks a record as no longer live. */
  release: (place: Place) => void
  /** Sets the owner, which locates records for compaction. */
  setOwner: (owner: Owner) => void
  /** Writes the notes whose write has failed. Throws if it fails again. */
  retry: () => void
  /** Starts compaction if needed. Called once a second. */
  tidy: () => void
  /** Syncs everything written. */
  sync: () => Promise<void>
  bytes: () => { disk: number; live: number }
  close: () => Promise<void>
}

/** Opens a log in a directory. */
export const openLog = (options: LogOptions): Log => {
  const { folder, name, durability, segmentBytes = SEGMENT_BYTES, room, isFailing, onFailure, onDamage } = options
  const files = openSegmentFiles(folder)
  const segments = openSegmentList(folder, name, files, onFailure)
  const memory = createBlockMemory()
  const head = createLogHead({ segments, files, memory, room, segmentBytes })
  const reader = createLogReader({ folder, name, segments, files, onFailure, onDamage })
  const prepares: (() => void)[] = []
  let group: Group | undefined
  const spot: { bytes: Buffer; at: number } = { bytes: Buffer.of(), at: 0 }

  const release = (place: Place): void => {
    const { block, length } = place
    if (length === 0) return
    place.length = 0
    block.live -= 1
    if (block.live === 0) memory.release(block)
    segments.release(block.segment, length)
  }

  const retain = ({ block, length }: Place): void => {
    block.live += 1
    segments.retain(block.segment, length)
  }

  const refuseGroup = (refused: Group, thrown: unknown): void => {
    onFailure(thrown)
    refuse(refused, thrown, release)
  }

  /** Writes the group of this turn. */
  const finish = (): void => {
    for (const prepare of prepares) prepare()
    const finished = group ?? newGroup()
    group = undefined
    try {
      head.write()
    } catch (thrown) {
      head.dropUnwritten()
      refuseGroup(finished, thrown)
      return
    }
    if (durability === 'process') settle(finished, release)
    else
      segments.sync().then(
        () => settle(finished, release),
        thrown => refuseGroup(finished, thrown),
      )
  }

  const openGroup = (): Group => {
    if (!group) {
      group = newGroup()
      atEndOfTurn(finish)
    }
    return group
  }

  /** Sets a place to the last record of a block, and retains the record. */
  const occupy = (place: Place, block: OpenBlock, length: number): void => {
    const { replaced } = openGroup()
    if (place.length > 0) replaced.push({ place, before: { ...place } })
    place.block = block
    place.length = HEAD_BYTES + length
    place.at = block.end - place.length
    retain(place)
  }

  const compaction = createCompaction({
    segments,
    files,
    segmentBytes,
    isFailing,
    append: (kind, payload, place) => occupy(place, head.copy(kind, payload), payload.end - payload.start),
    commit: () => openGroup().promise,
    onFailure,
    onDamage,
  })

  return {
    load: (visit, heard = () => undefined) => reader.load(visit, heard),
    retain,
    reserve: length => {
      const tail = head.reserve(length)
      spot.bytes = tail.bytes
      spot.at = tail.end + HEAD_BYTES
      return spot
    },
    append: (kind, length, place) => {
      occupy(place, head.complete(kind, length), length)
      head.needRoom()
    },
    note: (kind, length) => {
      head.complete(kind, length)
      openGroup()
    },
    batch: run => {
      const end = head.startBatch()
      openGroup()
      try {
        run()
      } finally {
        end()
      }
    },
    beforeWrite: prepare => {
      prepares.push(prepare)
    },
    commit: () => openGroup().promise,
    noted: () => openGroup().noted,
    read: place => {
      const { block, at, length } = place
      if (length === 0) return undefined
      if (!block.bytes) return reader.read(place)
      return { bytes: block.bytes, start: at + HEAD_BYTES, end: at + length }
    },
    release,
    setOwner: compaction.setOwner,
    retry: head.write,
    tidy: () => {
      segments.collect()
      compaction.start()
      if (segments.isDirty()) segments.sync().catch(onFailure)
    },
    sync: segments.sync,
    bytes: () => segments.total,
    close: async () => {
      await compaction.stop()
      if (group) await group.promise.catch(() => undefined)
      await segments.sync().catch(onFailure)
      await segments.removed()
      files.close()
    },
  }
}
