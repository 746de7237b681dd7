/**
 * What was done in a turn, as it is written ahead: the number of chunks and of places that have gone, their numbers, and
 * as JSON what is rare. All numbers are little-endian.
 */
import type { Change, Row } from './message-tables.ts'

/**
 * Bytes added to chunks, which lie behind the record in this order, and what changed. Most changes are messages that have
 * gone: of these there are two numbers each, the chunk and the place.
 */
export type AheadRecord = {
  chunks: [id: number, at: number, length: number][]
  gone: number[]
  changes: [chunk: number, at: number, change: Change][]
  rows: readonly Row[]
}

const COUNTS_BYTES = 8
/** A double: the numbers of chunks outgrow 32 bits. */
const NUMBER_BYTES = 8
const NUMBERS_OF_CHUNK = 3

/** Bytes before what is rare, for so many chunks and numbers of what has gone. */
const restAt = (chunks: number, gone: number): number =>
  COUNTS_BYTES + NUMBER_BYTES * (NUMBERS_OF_CHUNK * chunks + gone)

/** What is rare, as it is written, and the bytes that the whole record takes. */
export const measureAhead = ({ chunks, gone, changes, rows }: AheadRecord): { rest: string; length: number } => {
  const rest = changes.length + rows.length === 0 ? '' : JSON.stringify({ changes, rows })
  return { rest, length: restAt(chunks.length, gone.length) + Buffer.byteLength(rest) }
}

/** Writes the record at the offset, where there are as many bytes as it was measured to take. */
export const writeAhead = (bytes: Buffer, at: number, { chunks, gone }: AheadRecord, rest: string): void => {
  let next = bytes.writeUInt32LE(gone.length, bytes.writeUInt32LE(chunks.length, at))
  for (const numbers of chunks) for (const number of numbers) next = bytes.writeDoubleLE(number, next)
  for (const number of gone) next = bytes.writeDoubleLE(number, next)
  bytes.write(rest, next)
}

/** The record that these bytes are. */
export const readAhead = (bytes: Buffer): AheadRecord => {
  const [chunks, gone] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
  const numberAt = (index: number): number => bytes.readDoubleLE(COUNTS_BYTES + NUMBER_BYTES * index)
  const rest = bytes.toString('utf8', restAt(chunks, gone))
  return {
    chunks: Array.from({ length: chunks }, (_, index) => {
      const first = NUMBERS_OF_CHUNK * index
      return [numberAt(first), numberAt(first + 1), numberAt(first + 2)]
    }),
    gone: Array.from({ length: gone }, (_, index) => numberAt(NUMBERS_OF_CHUNK * chunks + index)),
    ...(rest === '' ? { changes: [], rows: [] } : JSON.parse(rest)),
  }
}
