/**
 * Record format of segment files. All numbers are little-endian:
 *
 *     0  2 bytes   FF FE, which never occurs in UTF-8; after damage, reading resumes at the next one
 *     2  1 byte    kind, chosen by the writer
 *     3  1 byte    0
 *     4  4 bytes   length of the payload
 *     8  4 bytes   CRC-32 of the payload, seeded with the fields above, the file number and the offset
 *    12  payload
 *
 * The seed makes a record invalid anywhere except where it was written.
 *
 * A kill can interrupt a write anywhere. Either all records of a batch count or none. A note before the batch gives the
 * total length in bytes, which shows whether the batch was written completely.
 */
import { crc32 } from 'node:zlib'

/** Length of the record header in bytes. */
export const HEAD_BYTES = 12

/**
 * Bit set in the kinds of notes, which record changes to other records and have no place. A note whose write fails is
 * kept and retried; any other record fails with an error.
 */
export const NOTE = 0x80

/** Kind of the note before a batch. Its payload is the total length of note and batch, in 4 bytes. */
export const BATCH = NOTE | 0x3e
export const BATCH_LENGTH_BYTES = 4

/** Bytes from `start` to `end`. */
export type Payload = { bytes: Buffer; start: number; end: number }

const MARK = 0xfeff
const MARK_BYTES = Buffer.of(0xff, 0xfe)
const SPARE_AT = 3
const LENGTH_AT = 4
const CRC_AT = 8

const MULTIPLIER_OF_FILE = 0x9e3779b1
const MULTIPLIER_OF_LENGTH = 0x85ebca6b

const seedOf = (file: number, offset: number, kind: number, length: number): number =>
  (Math.imul(file, MULTIPLIER_OF_FILE) ^ offset ^ (kind << 24) ^ Math.imul(length, MULTIPLIER_OF_LENGTH)) >>> 0

/**
 * Writes a record's header into `bytes` at `at`. The payload must already follow the header's place, because the
 * checksum includes it. `file` and `offset` say where the record will be stored.
 */
export const writeHead = (
  bytes: Buffer,
  at: number,
  { kind, length, file, offset }: { kind: number; length: number; file: number; offset: number },
): void => {
  const start = at + HEAD_BYTES
  bytes.writeUInt16LE(MARK, at)
  bytes.writeUInt16LE(kind, at + 2)
  bytes.writeUInt32LE(length, at + LENGTH_AT)
  bytes.writeUInt32LE(crc32(bytes.subarray(start, start + length), seedOf(file, offset, kind, length)), at + CRC_AT)
}

/** Returns the length of the record at `at`, or 0 if the record is not valid for `offset` of that file. */
export const validLength = (bytes: Buffer, at: number, file: number, offset: number): number => {
  const start = at + HEAD_BYTES
  if (start > bytes.length || bytes.readUInt16LE(at) !== MARK || bytes[at + SPARE_AT] !== 0) return 0
  const length = bytes.readUInt32LE(at + LENGTH_AT)
  if (start + length > bytes.length) return 0
  const crc = crc32(bytes.subarray(start, start + length), seedOf(file, offset, kindAt(bytes, at), length))
  return crc === bytes.readUInt32LE(at + CRC_AT) ? HEAD_BYTES + length : 0
}

export const kindAt = (bytes: Buffer, at: number): number => bytes[at + 2] ?? 0

/** Returns the length of a record written by this process, without validation. */
export const lengthAt = (bytes: Buffer, at: number): number => HEAD_BYTES + bytes.readUInt32LE(at + LENGTH_AT)

/** A record's kind and range. Without a kind, the range is damaged. */
export type Found = { kind: number | undefined; at: number; end: number }

const nextValid = (bytes: Buffer, from: number, file: number): number => {
  for (let at = bytes.indexOf(MARK_BYTES, from); at >= 0; at = bytes.indexOf(MARK_BYTES, at + 1))
    if (validLength(bytes, at, file, at) > 0) return at
  return bytes.length
}

/** True for the note of a batch that ends after `written` bytes. */
const isTorn = (bytes: Buffer, at: number, written: number): boolean =>
  kindAt(bytes, at) === BATCH && at + bytes.readUInt32LE(at + HEAD_BYTES) > written

/**
 * Scans a file's bytes from `start` on for valid records and damaged ranges. A batch that ends after the bytes `written` to
 * the file is damaged as a whole.
 */
export const recordsIn = function* (
  bytes: Buffer,
  file: number,
  start: number,
  written = Number.POSITIVE_INFINITY,
): Generator<Found> {
  for (let at = start; at < bytes.length; ) {
    const length = validLength(bytes, at, file, at)
    if (length > 0 && isTorn(bytes, at, written)) {
      yield { kind: undefined, at, end: bytes.length }
      return
    }
    const end = length > 0 ? at + length : nextValid(bytes, at + 1, file)
    yield { kind: length > 0 ? kindAt(bytes, at) : undefined, at, end }
    at = end
  }
}
