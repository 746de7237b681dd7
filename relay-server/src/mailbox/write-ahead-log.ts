/**
 * What the mailbox does, as it does it: appended to a file before anyone is answered, which costs one system call a turn
 * and survives the end of the process, however it ends. The store follows in commits of its own, and what these have is
 * forgotten here. After a crash the store is brought up to date from the files: see recovery.ts.
 */
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writevSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type AheadRecord, measureAhead, readAhead, writeAhead } from './ahead-record.ts'

/** One entry: a record, and bytes that it speaks of. */
export type Ahead = { record: AheadRecord; bytes: readonly Uint8Array[] }

export type WriteAheadLog = {
  /** Adds an entry. Throws why the disk did not take it; it does not count then, and the next one takes its place. */
  append: (entry: Ahead) => void
  /** Bytes that are not forgotten. */
  length: () => number
  /** Ends the file. Returns the number of the last one; undefined if there is nothing that is not forgotten. */
  turn: () => number | undefined
  /** The store has all that is in the files up to that number. */
  forget: (upTo: number) => void
  /** The entries in files after that number, in order. */
  read: (after: number) => Generator<{ record: AheadRecord; bytes: Buffer }>
}

/** `messages-<number>.ahead` */
const NAME = /^messages-(\d+)\.ahead$/
const OWNER_ONLY = 0o600

/** An entry begins with the length of what follows, and its CRC-32. That begins with the length of the record. */
const HEAD_BYTES = 8
const LENGTH_BYTES = 4
const RECORD_AT = HEAD_BYTES + LENGTH_BYTES

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)

/** The pieces of an entry, as they lie one after the other. Long bytes are not copied: that costs memory until it is freed. */
const encode = ({ record, bytes }: Ahead): Uint8Array[] => {
  const { rest, length } = measureAhead(record)
  const start = Buffer.allocUnsafe(RECORD_AT + length)
  const body = [start.subarray(HEAD_BYTES), ...bytes]
  start.writeUInt32LE(length, HEAD_BYTES)
  writeAhead(start, RECORD_AT, record, rest)
  start.writeUInt32LE(lengthOf(body), 0)
  start.writeUInt32LE(
    body.reduce((sum, part) => crc32(part, sum), 0),
    4,
  )
  return [start, ...bytes]
}

/** The entries of a file. A crash may have cut the last one off, which was not answered then. */
const entriesOf = function* (file: Buffer): Generator<{ record: AheadRecord; bytes: Buffer }> {
  for (let at = 0; at + HEAD_BYTES <= file.length; ) {
    const start = at + HEAD_BYTES
    const end = start + file.readUInt32LE(at)
    const body = file.subarray(start, end)
    // Zeros, which a power cut leaves, have a checksum that holds.
    if (body.length < LENGTH_BYTES || end > file.length || crc32(body) !== file.readUInt32LE(at + 4)) return
    const bytesAt = LENGTH_BYTES + body.readUInt32LE()
    yield { record: readAhead(body.subarray(LENGTH_BYTES, bytesAt)), bytes: body.subarray(bytesAt) }
    at = end
  }
}

/** Opens the log in a folder. Files that an earlier process left stay until they are forgotten. */
export const openWriteAheadLog = (folder: string): WriteAheadLog => {
  const pathOf = (number: number): string => join(folder, `messages-${number}.ahead`)
  /** Lengths of the files by their numbers, in order. */
  const files = new Map<number, number>()
  const numbers = readdirSync(folder).flatMap(name => NAME.exec(name)?.slice(1).map(Number) ?? [])
  for (const number of numbers.sort((a, b) => a - b)) files.set(number, 0)
  let last = numbers.at(-1) ?? 0
  let open: number | undefined
  let total = 0

  const begin = (): number => {
    const opened = openSync(pathOf(last + 1), 'w', OWNER_ONLY)
    last += 1
    files.set(last, 0)
    return opened
  }

  /** Writes all or nothing: what is left of an entry behind a shorter one would be read as another. */
  const write = (file: number, parts: readonly Uint8Array[], length: number, at: number): void => {
    try {
      if (writevSync(file, parts, at) < length) throw new Error('the disk took a part only')
    } catch (refused) {
      ftruncateSync(file, at)
      throw refused
    }
  }

  return {
    append: entry => {
      const parts = encode(entry)
      const length = lengthOf(parts)
      open ??= begin()
      const at = files.get(last) ?? 0
      write(open, parts, length, at)
      files.set(last, at + length)
      total += length
    },
    length: () => total,
    turn: () => {
      const ended = open
      open = undefined
      if (ended !== undefined) closeSync(ended)
      return files.size > 0 ? last : undefined
    },
    forget: upTo => {
      for (const [number, length] of files) {
        if (number > upTo) return
        rmSync(pathOf(number), { force: true })
        files.delete(number)
        total -= length
      }
    },
    read: function* (after) {
      last = Math.max(last, after)
      for (const number of files.keys()) if (number > after) yield* entriesOf(readFileSync(pathOf(number)))
    },
  }
}
