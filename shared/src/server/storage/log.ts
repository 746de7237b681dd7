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
import { type Block, createBlockMemory, storedBlock } from './blocks.ts'
import { createCompaction } from './compaction.ts'
import type { Damage } from './damage.ts'
import type { DiskRoom } from './disk-room.ts'
import { HEAD_BYTES, lengthAt, NOTE, recordsIn, validLength, writeHead } from './record.ts'
import {
  FILE_HEAD_BYTES,
  fileHead,
  headDamages,
  openSegmentFiles,
  type Segment,
  segmentNumbers,
  segmentPath,
} from './segment-files.ts'

const SEGMENT_BYTES = 8 * 1024 * 1024
/** How many times what is live the files may take, and how many segments more. */
const MOST_DISK = 2
const SPARE_SEGMENTS = 4

/** Where a record lies: a block of the log, the offset in it, and the bytes that it takes; 0 when it is nowhere. */
export type Place = { block: Block; at: number; length: number }

/** The block of records that are nowhere. */
export const NOWHERE: Block = storedBlock({ number: 0, path: '', length: 0, live: 0 })

/** A payload: from `start` to `end` of `bytes`. */
export type Payload = { bytes: Buffer; start: number; end: number }

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
  load: (visit: (kind: number, payload: Payload, place: Place) => void, onDamage?: (damage: Damage) => void) => void
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

export type Owner = {
  /** The place of a record, if it is live. */
  find: (kind: number, payload: Payload) => Place | undefined
  /** The record was appended again: notes before it may go. Appends those that are needed still. */
  moved?: (kind: number, place: Place) => void
}

type Group = {
  promise: Promise<void>
  noted: Promise<void>
  resolve: () => void
  reject: (thrown: unknown) => void
  replaced: { place: Place; before: Place }[]
}

const newGroup = (): Group => {
  const settling = { resolve: () => {}, reject: (_: unknown) => {} }
  const promise = new Promise<void>((resolve, reject) => Object.assign(settling, { resolve, reject }))
  return { promise, noted: promise.catch(() => undefined), ...settling, replaced: [] }
}

/** Opens a log in a folder. Throws if a file is of another format. */
export const openLog = (options: LogOptions): Log => {
  const { folder, name, durability, segmentBytes = SEGMENT_BYTES, room, isFailing, onFailure, onDamage } = options
  const files = openSegmentFiles(folder)
  const memory = createBlockMemory()
  /** All segments, the oldest first; the last is the head if that was begun. */
  const segments: Segment[] = segmentNumbers(folder, name).map(number => ({
    number,
    path: segmentPath(folder, name, number),
    length: 0,
    live: 0,
  }))
  let lastNumber = segments.at(-1)?.number ?? 0
  let head: Segment | undefined
  /** Blocks of the head that are not kept or forgotten yet; the last takes what is appended. */
  let blocks: Block[] = []
  let group: Group | undefined
  let hasRecords = false
  let live = 0
  let disk = 0
  const prepares: (() => void)[] = []
  const dirty = new Set<Segment>()
  let synced: Promise<void> = Promise.resolve()
  let nextSync: Promise<void> | undefined
  let removed: Promise<void> = Promise.resolve()
  /** The segment whose live records are on their way elsewhere. */
  let held: Segment | undefined
  const spot: { bytes: Buffer; at: number } = { bytes: Buffer.of(), at: 0 }

  const sync = (): Promise<void> => {
    nextSync ??= synced.then(async () => {
      nextSync = undefined
      const written = [...dirty]
      dirty.clear()
      if (written.length > 0) await files.sync(written)
    })
    synced = nextSync.catch(() => undefined)
    return nextSync
  }

  const remove = (segment: Segment): void => {
    disk -= segment.length
    dirty.delete(segment)
    removed = removed.then(() => files.remove(segment)).catch(onFailure)
  }

  /** Removes the oldest files while nothing in them is live. */
  const collect = (): void => {
    for (let oldest = segments[0]; oldest && oldest !== head && oldest !== held && oldest.live === 0; ) {
      segments.shift()
      remove(oldest)
      oldest = segments[0]
    }
  }

  const release = (place: Place): void => {
    const { block, length } = place
    if (length === 0) return
    const { segment } = block
    place.length = 0
    block.live -= 1
    segment.live -= length
    live -= length
    if (block.live === 0) memory.release(block)
    if (segment.live === 0 && segment === segments[0]) collect()
  }

  const begin = (): Segment => {
    // A number is not used twice: the file that had it may still be on its way out.
    lastNumber += 1
    const number = lastNumber
    head = { number, path: segmentPath(folder, name, number), length: 0, live: 0 }
    segments.push(head)
    return head
  }

  const addBlock = (need: number): Block => {
    const segment = head ?? begin()
    const last = blocks.at(-1)
    const start = last ? last.start + last.end : Math.max(segment.length, FILE_HEAD_BYTES)
    const block: Block = { segment, start, bytes: memory.take(need), end: 0, written: 0, live: 0 }
    blocks.push(block)
    return block
  }

  /** The block that takes what is appended, with so much room. */
  const tailFor = (need: number): Block => {
    const tail = blocks.at(-1)
    return tail?.bytes && tail.end + need <= tail.bytes.length ? tail : addBlock(need)
  }

  const openGroup = (): Group => {
    if (!group) {
      group = newGroup()
      atEndOfTurn(finish)
    }
    return group
  }

  /** Completes the record that was reserved. Returns its block and its place in it. */
  const complete = (kind: number, length: number): Block => {
    const tail = blocks.at(-1)
    if (!tail?.bytes) throw new Error('nothing was reserved')
    const place = { kind, length, file: tail.segment.number, offset: tail.start + tail.end }
    writeHead(tail.bytes, tail.end, place)
    tail.end += HEAD_BYTES + length
    openGroup()
    return tail
  }

  /** What comes next goes into another file. */
  const seal = (): void => {
    head = undefined
    for (const block of blocks) memory.keep(block)
    blocks = []
    collect()
  }

  const write = (): void => {
    if (!head) return
    const pending = blocks.filter(({ end, written }) => end > written)
    const bytes = pending.reduce((sum, { end, written }) => sum + end - written, 0)
    if (bytes === 0) return
    if (hasRecords) room.claim(bytes)
    const parts = pending.map(block => (block.bytes ?? Buffer.of()).subarray(block.written, block.end))
    const before = segments.at(-2)?.length ?? 0
    const isNew = head.length === 0
    files.write(head, isNew ? [fileHead(head.number, before), ...parts] : parts)
    head.length += bytes + (isNew ? FILE_HEAD_BYTES : 0)
    disk += bytes + (isNew ? FILE_HEAD_BYTES : 0)
    dirty.add(head)
    hasRecords = false
    for (const block of pending) block.written = block.end
    if (head.length >= segmentBytes) {
      seal()
      return
    }
    for (const block of blocks.splice(0, blocks.length - 1)) memory.keep(block)
  }

  /** Drops what was not written, but for the notes, which the next file begins with. */
  const dropUnwritten = (): void => {
    const notes: Buffer[] = []
    for (const block of blocks) {
      const { bytes, end, written } = block
      if (!bytes) continue
      for (let at = written; at < end; at += lengthAt(bytes, at))
        if ((bytes[at + 2] ?? 0) & NOTE) notes.push(bytes.subarray(at, at + lengthAt(bytes, at)))
      block.end = written
    }
    if (head && head.length > FILE_HEAD_BYTES) seal()
    blocks = []
    hasRecords = false
    for (const note of notes) {
      const tail = tailFor(note.length)
      note.copy(tail.bytes ?? Buffer.of(), tail.end)
      const kind = note[2] ?? 0
      const length = note.length - HEAD_BYTES
      const place = { kind, length, file: tail.segment.number, offset: tail.start + tail.end }
      writeHead(tail.bytes ?? Buffer.of(), tail.end, place)
      tail.end += note.length
    }
  }

  const settle = ({ replaced, resolve }: Group): void => {
    for (const { before } of replaced) release(before)
    resolve()
  }

  const refuse = ({ replaced, reject }: Group, thrown: unknown): void => {
    for (const { place, before } of replaced.reverse()) {
      const isReleased = place.length === 0
      release(place)
      if (isReleased) release(before)
      else Object.assign(place, before)
    }
    onFailure(thrown)
    reject(thrown)
  }

  /** Writes the group of this turn. */
  const finish = (): void => {
    for (const prepare of prepares) prepare()
    const finished = group ?? newGroup()
    group = undefined
    try {
      write()
    } catch (thrown) {
      dropUnwritten()
      refuse(finished, thrown)
      return
    }
    if (durability === 'process') settle(finished)
    else
      sync().then(
        () => settle(finished),
        thrown => refuse(finished, thrown),
      )
  }

  /** Cuts the damaged end off the newest file, so that the next start does not report it again. */
  const cutEnd = (segment: Segment, bytes: Buffer, at: number): void => {
    try {
      files.cut(segment, at, bytes.subarray(at))
      disk -= bytes.length - at
    } catch (thrown) {
      onFailure(thrown)
    }
  }

  let scratch = Buffer.allocUnsafeSlow(FILE_HEAD_BYTES)

  /** The record as the file has it; undefined if it is damaged. */
  const readStored = ({ block, at, length }: Place): Payload | undefined => {
    if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
    const offset = block.start + at
    const bytes = scratch.subarray(0, length)
    let reason = 'its checksum does not match'
    try {
      const isWhole = files.read(block.segment, bytes, offset) === length
      if (isWhole && validLength(bytes, 0, block.segment.number, offset) === length)
        return { bytes, start: HEAD_BYTES, end: length }
    } catch (thrown) {
      reason = thrown instanceof Error ? thrown.message : String(thrown)
    }
    onDamage({ path: block.segment.path, at: offset, bytes: length, reason })
    return undefined
  }

  const compaction = createCompaction({
    oldest: () => (segments[0] === head ? undefined : segments[0]),
    isWasteful: () =>
      disk > (isFailing() ? live + segmentBytes : MOST_DISK * live + SPARE_SEGMENTS * segmentBytes) ||
      segments.length > 2 * SPARE_SEGMENTS + (2 * MOST_DISK * live) / segmentBytes,
    readWhole: files.readWhole,
    hold: segment => {
      held = segment
    },
    letGo: async (segment, isEmpty) => {
      const isSafe = isEmpty && (await sync().then(() => true, onFailure))
      held = undefined
      // What is left in it cannot be read: whoever asks for it hears of that.
      if (isSafe) segment.live = 0
      collect()
    },
    append: (kind, payload, place) => {
      const { bytes, start, end } = payload
      const tail = tailFor(HEAD_BYTES + end - start)
      bytes.copy(tail.bytes ?? Buffer.of(), tail.end + HEAD_BYTES, start, end)
      put(kind, end - start, place)
    },
    commit: () => openGroup().promise,
    onDamage,
  })

  /** Appends a record; one that is moved may take the room that is left to it on the disk. */
  const put = (kind: number, length: number, place: Place): void => {
    if (place.length > 0) openGroup().replaced.push({ place, before: { ...place } })
    const block = complete(kind, length)
    place.block = block
    place.length = HEAD_BYTES + length
    place.at = block.end - place.length
    block.live += 1
    block.segment.live += place.length
    live += place.length
  }

  return {
    load: (visit, heard) => {
      const damaged = (damage: Damage): void => {
        onDamage(damage)
        heard?.(damage)
      }
      let before: Segment | undefined
      for (const segment of segments) {
        const { path, number } = segment
        const bytes = files.readWhole(segment)
        segment.length = bytes.length
        disk += bytes.length
        for (const damage of headDamages(segment, bytes, before, folder, name)) damaged(damage)
        before = segment
        const block = storedBlock(segment)
        for (const { kind, at, end } of recordsIn(bytes, number, FILE_HEAD_BYTES)) {
          if (kind !== undefined) {
            visit(kind, { bytes, start: at + HEAD_BYTES, end }, { block, at, length: end - at })
            continue
          }
          damaged({ path, at, bytes: end - at, reason: 'no valid record is there' })
          if (end === bytes.length && segment === segments.at(-1)) cutEnd(segment, bytes, at)
        }
      }
    },
    retain: ({ block, length }) => {
      block.live += 1
      block.segment.live += length
      live += length
    },
    reserve: roomNeeded => {
      const tail = tailFor(HEAD_BYTES + roomNeeded)
      spot.bytes = tail.bytes ?? Buffer.of()
      spot.at = tail.end + HEAD_BYTES
      return spot
    },
    append: (kind, length, place) => {
      put(kind, length, place)
      hasRecords = true
    },
    note: complete,
    beforeWrite: prepare => {
      prepares.push(prepare)
    },
    commit: () => openGroup().promise,
    noted: () => openGroup().noted,
    read: place => {
      const { block, at, length } = place
      if (length === 0) return undefined
      if (!block.bytes) return readStored(place)
      return { bytes: block.bytes, start: at + HEAD_BYTES, end: at + length }
    },
    release,
    setOwner: compaction.setOwner,
    retry: write,
    tidy: () => {
      collect()
      compaction.start()
      if (dirty.size > 0) sync().catch(onFailure)
    },
    sync,
    bytes: () => ({ disk, live }),
    close: async () => {
      await compaction.stop()
      if (group) await group.promise.catch(() => undefined)
      await sync().catch(onFailure)
      await removed
      files.close()
    },
  }
}
