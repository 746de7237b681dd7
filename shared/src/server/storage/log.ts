/**
 * An append-only log in segment files, with group commit: all that is appended in a turn of the event loop is written with
 * one system call at its end, and answered then.
 *
 * A record that somebody refers to has a place and is live until it is released. A note has none: it tells what became of
 * records before it. Files go from the oldest on, once nothing in them is live; so a note is never gone while a record
 * that it speaks of is there. When the files take more than twice what is live, the live records of the oldest are
 * appended again (see compaction.ts).
 */
import { atEndOfTurn } from '../turn.ts'
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
  /** What its files are called. */
  name: string
  /** What a committed record survives: the end of the process, or a power cut as well. */
  durability: 'process' | 'disk'
  /** Bytes of a file from which on the next one begins. */
  segmentBytes?: number
  room: DiskRoom
  /** The disk takes no new records: files are kept as few as can be. */
  isFailing: () => boolean
  /** Hears why a write failed. */
  onFailure: (thrown: unknown) => void
  /** Hears of bytes that cannot be read. */
  onDamage: (damage: Damage) => void
}

export type Log = {
  /** Hands over all records in order, and all damage between them; called once, before anything is appended. */
  load: (visit: Visit, onDamage?: (damage: Damage) => void) => void
  /** Marks a record that was handed over as live. */
  retain: (place: Place) => void
  /** Where the payload of the next record is to be written, with so much room. Good until it is appended. */
  reserve: (room: number) => Readonly<{ bytes: Buffer; at: number }>
  /**
   * Appends the record whose payload of that length was written, and notes where it lies. If the place had a record, this
   * one replaces it: if the write fails, the place has the former one again.
   */
  append: (kind: number, length: number, place: Place) => void
  /** Appends a note, whose kind has the bit NOTE. It is kept while the disk refuses it. */
  note: (kind: number, length: number) => void
  /** Calls `prepare` before each group is written: it may append notes that were put off. */
  beforeWrite: (prepare: () => void) => void
  /** Resolves when all that was appended so far is durable; throws why not. One promise for all of this turn. */
  commit: () => Promise<void>
  /** As `commit`, for notes: it does not throw, as notes that the disk refuses are kept. */
  noted: () => Promise<void>
  /**
   * The payload of a live record, good until the next call. Its checksum is verified when it is read from the file;
   * undefined if it is damaged.
   */
  read: (place: Place) => Payload | undefined
  /** Nobody refers to the record any more. */
  release: (place: Place) => void
  /** Names who knows where records are: needed for compaction. */
  setOwner: (owner: Owner) => void
  /** Writes notes that the disk refused before. Throws when it still does. */
  retry: () => void
  /** Keeps the files within their bound; called once a second. */
  tidy: () => void
  /** Brings all that was written to the disk. */
  sync: () => Promise<void>
  bytes: () => { disk: number; live: number }
  close: () => Promise<void>
}

/** Opens a log in a folder. */
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

  /** Notes that the last record of a block is in that place now. */
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
