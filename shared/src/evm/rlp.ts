/**
 * Recursive length prefix, canonical form only: https://ethereum.org/developers/docs/data-structures-and-encoding/rlp/
 * Decoded input re-encodes to the same bytes.
 */
import { fail } from './fail.ts'
import { encodeData } from './hex.ts'

/** A byte string, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Maximum nesting. Transactions need four levels; the limit prevents stack overflow on hostile input. */
const MAX_DEPTH = 64

const STRING = 0x80
const LIST = 0xc0
const LONGEST_SHORT = 55

/** True for a list, false for a byte string. */
export const isRlpList = (item: RlpItem): item is readonly RlpItem[] => !(item instanceof Uint8Array)

/** Concatenates any number of parts. Tens of thousands of spread arguments would exceed the engine's argument limit. */
const join = (parts: readonly Uint8Array[]): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Returns a length as big-endian bytes without leading zeros. */
const lengthBytes = (length: number): number[] =>
  length < 256 ? [length] : [...lengthBytes(Math.floor(length / 256)), length % 256]

const header = (offset: number, length: number): Uint8Array => {
  if (length <= LONGEST_SHORT) return Uint8Array.of(offset + length)
  const digits = lengthBytes(length)
  return Uint8Array.of(offset + LONGEST_SHORT + digits.length, ...digits)
}

const encodeAt = (item: RlpItem, depth: number): Uint8Array => {
  if (!isRlpList(item))
    return item.length === 1 && (item[0] ?? 0) < STRING ? item : join([header(STRING, item.length), item])
  if (depth === MAX_DEPTH) return fail('rlp', item, 'tooDeep', { limit: MAX_DEPTH })
  const payload = join(item.map(child => encodeAt(child, depth + 1)))
  return join([header(LIST, payload.length), payload])
}

/** Encodes an item. Throws ValueError for lists nested deeper than 64 levels. */
export const encodeRlp = (item: RlpItem): Uint8Array => encodeAt(item, 0)

/** Byte range of an item's payload. */
type Extent = { list: boolean; from: number; to: number }

/** Reasons why an item is not in canonical form. */
type Broken = 'notRlpItem' | 'rlpTooShort' | 'rlpLeadingZeros' | 'rlpLongLength' | 'rlpNeedlessPrefix'

/** Reads a big-endian length from the bytes between `from` and `to` (exclusive). */
const readLength = (bytes: Uint8Array, from: number, to: number): number => {
  let length = 0
  for (let at = from; at < to; at++) length = length * 256 + (bytes[at] ?? 0)
  return length
}

/** Reads the header at `start`. The item must end at or before `end`. */
const readExtent = (bytes: Uint8Array, start: number, end: number, place: string): Extent => {
  const refuse = (reason: Broken) => fail(place, encodeData(bytes.subarray(start, start + 9)), reason, { at: start })
  const prefix = bytes[start]
  if (prefix === undefined) return refuse('notRlpItem')
  if (prefix < STRING) return { list: false, from: start, to: start + 1 }

  const list = prefix >= LIST
  const size = prefix - (list ? LIST : STRING)
  const isLong = size > LONGEST_SHORT
  const from = isLong ? start + 1 + size - LONGEST_SHORT : start + 1
  const length = isLong ? readLength(bytes, start + 1, from) : size
  if (from + length > end) return refuse('rlpTooShort')
  if (isLong && bytes[start + 1] === 0) return refuse('rlpLeadingZeros')
  if (isLong && length <= LONGEST_SHORT) return refuse('rlpLongLength')
  if (!list && length === 1 && (bytes[from] ?? 0) < STRING) return refuse('rlpNeedlessPrefix')
  return { list, from, to: from + length }
}

const decodeAt = (bytes: Uint8Array, { list, from, to }: Extent, place: string, depth: number): RlpItem => {
  if (!list) return bytes.subarray(from, to)
  if (depth === MAX_DEPTH) return fail(place, bytes, 'tooDeep', { limit: MAX_DEPTH })
  const items: RlpItem[] = []
  for (let at = from; at < to; ) {
    const itemPlace = `${place}[${items.length}]`
    const extent = readExtent(bytes, at, to, itemPlace)
    items.push(decodeAt(bytes, extent, itemPlace, depth + 1))
    at = extent.to
  }
  return items
}

/**
 * Decodes exactly one item. Byte strings are views of `bytes`. `place` names the input in errors. Throws ValueError for input
 * that is not canonical, has trailing bytes or is nested deeper than 64 levels.
 */
export const decodeRlp = (bytes: Uint8Array, place = 'rlp'): RlpItem => {
  const extent = readExtent(bytes, 0, bytes.length, place)
  const spare = bytes.length - extent.to
  if (spare > 0) return fail(place, bytes, 'trailingBytes', { spare })
  return decodeAt(bytes, extent, place, 0)
}
