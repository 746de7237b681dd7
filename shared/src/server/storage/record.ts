/**
 * Records, as they lie one after the other in a segment file. All numbers are little-endian:
 *
 *     0  2 bytes   FF FE, which no UTF-8 text contains: reading resumes at the next one after damage
 *     2  1 byte    kind, which its writer chose
 *     3  1 byte    0
 *     4  4 bytes   length of the payload
 *     8  4 bytes   CRC-32 of the payload, seeded with all of the above and where the record lies
 *    12  payload
 *
 * The seed makes a record that lies anywhere but where it was written as invalid as one with a flipped bit.
 */
import { crc32 } from 'node:zlib'

/** Bytes before the payload. */
export const HEAD_BYTES = 12

/**
 * Set in the kinds of notes: records that tell what became of others, and that nobody refers to. They are kept while the
 * disk refuses them; other records are refused with an error.
 */
export const NOTE = 0x80

/** A payload: from `start` to `end` of `bytes`. */
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

/** Completes the record at `at`, whose payload of `length` bytes is there. It goes to `offset` of the file of that number. */
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

/** Bytes that the record at `at` takes; 0 if there is no valid one. `at` is at `offset` of the file of that number. */
export const validLength = (bytes: Buffer, at: number, file: number, offset: number): number => {
  const start = at + HEAD_BYTES
  if (start > bytes.length || bytes.readUInt16LE(at) !== MARK || bytes[at + SPARE_AT] !== 0) return 0
  const length = bytes.readUInt32LE(at + LENGTH_AT)
  if (start + length > bytes.length) return 0
  const crc = crc32(bytes.subarray(start, start + length), seedOf(file, offset, kindAt(bytes, at), length))
  return crc === bytes.readUInt32LE(at + CRC_AT) ? HEAD_BYTES + length : 0
}

/** Kind of the record at `at`. */
export const kindAt = (bytes: Buffer, at: number): number => bytes[at + 2] ?? 0

/** Bytes that the record at `at` takes, which was written by this process. */
export const lengthAt = (bytes: Buffer, at: number): number => HEAD_BYTES + bytes.readUInt32LE(at + LENGTH_AT)

/** A record of a file: its kind, where it begins, and where it ends. Without a kind it is damaged bytes. */
export type Found = { kind: number | undefined; at: number; end: number }

const nextValid = (bytes: Buffer, from: number, file: number): number => {
  for (let at = bytes.indexOf(MARK_BYTES, from); at >= 0; at = bytes.indexOf(MARK_BYTES, at + 1))
    if (validLength(bytes, at, file, at) > 0) return at
  return bytes.length
}

/** All that is in the bytes of a file from `start` on: each valid record, and each run of bytes that are part of none. */
export const recordsIn = function* (bytes: Buffer, file: number, start: number): Generator<Found> {
  for (let at = start; at < bytes.length; ) {
    const length = validLength(bytes, at, file, at)
    const end = length > 0 ? at + length : nextValid(bytes, at + 1, file)
    yield { kind: length > 0 ? kindAt(bytes, at) : undefined, at, end }
    at = end
  }
}
