/** The end of a log: collects appended records in blocks and writes them with one system call. */
import type { BlockMemory, OpenBlock } from './blocks.ts'
import type { DiskRoom } from './disk-room.ts'
import { BATCH, BATCH_LENGTH_BYTES, HEAD_BYTES, kindAt, lengthAt, NOTE, type Payload, writeHead } from './record.ts'
import { FILE_HEAD_BYTES, fileHead, type SegmentFiles } from './segment-files.ts'
import type { SegmentList } from './segment-list.ts'

export type LogHeadOptions = {
  segments: SegmentList
  files: SegmentFiles
  memory: BlockMemory
  room: DiskRoom
  /** File size in bytes at which a new file is started. */
  segmentBytes: number
}

export const createLogHead = ({ segments, files, memory, room, segmentBytes }: LogHeadOptions) => {
  /** Unwritten and partly written blocks of the newest segment. Records are appended to the last one. */
  let blocks: OpenBlock[] = []
  let needsRoom = false

  const addBlock = (need: number): OpenBlock => {
    const segment = segments.head()
    const last = blocks.at(-1)
    const start = last ? last.start + last.end : Math.max(segment.length, FILE_HEAD_BYTES)
    const block: OpenBlock = { segment, start, bytes: memory.take(need), end: 0, written: 0, live: 0 }
    blocks.push(block)
    return block
  }

  /** Returns a block with room for a record with `length` bytes of payload, which starts at the block's end. */
  const reserve = (length: number): OpenBlock => {
    const tail = blocks.at(-1)
    const need = HEAD_BYTES + length
    return tail && tail.end + need <= tail.bytes.length ? tail : addBlock(need)
  }

  /** Completes the reserved record after its payload was written. Returns its block. */
  const complete = (kind: number, length: number): OpenBlock => {
    const tail = blocks.at(-1)
    if (!tail) throw new Error('no record was reserved')
    const record = { kind, length, file: tail.segment.number, offset: tail.start + tail.end }
    writeHead(tail.bytes, tail.end, record)
    tail.end += HEAD_BYTES + length
    return tail
  }

  /** Appends a record with a copy of the payload. Returns its block. */
  const copy = (kind: number, { bytes, start, end }: Payload): OpenBlock => {
    const tail = reserve(end - start)
    bytes.copy(tail.bytes, tail.end + HEAD_BYTES, start, end)
    return complete(kind, end - start)
  }

  /** Starts a batch. Returns the function that completes it, to be called before the next write. */
  const startBatch = (): (() => void) => {
    const block = reserve(BATCH_LENGTH_BYTES)
    const at = block.end
    const offset = block.start + at
    // Reserves the place of the batch's length, which is not known yet.
    complete(BATCH, BATCH_LENGTH_BYTES)
    return () => {
      const last = blocks.at(-1) ?? block
      block.bytes.writeUInt32LE(last.start + last.end - offset, at + HEAD_BYTES)
      writeHead(block.bytes, at, { kind: BATCH, length: BATCH_LENGTH_BYTES, file: block.segment.number, offset })
    }
  }

  const seal = (): void => {
    segments.seal()
    for (const block of blocks) memory.keep(block)
    blocks = []
  }

  const write = (): void => {
    const pending = blocks.filter(({ end, written }) => end > written)
    const segment = pending[0]?.segment
    if (!segment) return
    const bytes = pending.reduce((sum, { end, written }) => sum + end - written, 0)
    if (needsRoom) room.claim(bytes)
    const parts = pending.map(block => block.bytes.subarray(block.written, block.end))
    const isNew = segment.length === 0
    files.write(segment, isNew ? [fileHead(segment.number, segments.all.at(-2)?.length ?? 0), ...parts] : parts)
    segments.setLength(segment, segment.length + bytes + (isNew ? FILE_HEAD_BYTES : 0))
    segments.markDirty(segment)
    needsRoom = false
    for (const block of pending) block.written = block.end
    if (segment.length >= segmentBytes) seal()
    else for (const block of blocks.splice(0, blocks.length - 1)) memory.keep(block)
  }

  /** True for a note that is kept when the other records of the same turn are dropped. */
  const isLasting = (kind: number): boolean => (kind & NOTE) !== 0 && kind !== BATCH

  /** Removes unwritten records. Returns copies of the notes among them, because the buffers may be reused. */
  const takeUnwrittenNotes = (): Buffer[] => {
    const notes: Buffer[] = []
    for (const block of blocks) {
      const { bytes, written, end } = block
      for (let at = written; at < end; at += lengthAt(bytes, at))
        if (isLasting(kindAt(bytes, at))) notes.push(Buffer.from(bytes.subarray(at, at + lengthAt(bytes, at))))
      block.end = written
    }
    return notes
  }

  return {
    reserve,
    complete,
    copy,
    startBatch,
    /** Makes the next write, which contains new records, fail if it would use the reserved disk space. */
    needRoom: (): void => {
      needsRoom = true
    },
    /** Writes appended records. Throws the disk's error. */
    write,
    /** Drops unwritten records except notes, which go to a new file. */
    dropUnwritten: (): void => {
      const notes = takeUnwrittenNotes()
      if ((blocks[0]?.segment.length ?? 0) > FILE_HEAD_BYTES) seal()
      blocks = []
      needsRoom = false
      for (const note of notes) copy(kindAt(note, 0), { bytes: note, start: HEAD_BYTES, end: note.length })
    },
  }
}
