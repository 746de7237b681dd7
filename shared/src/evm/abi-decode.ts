/**
 * Reads the arguments of contract calls as lenient contracts do: they ignore bytes after the arguments, mask the unused
 * bits of a word, follow any offset and read zeros past the end. https://docs.soliditylang.org/en/latest/abi-spec.html
 */
import { bytesToNumberBE } from '@noble/curves/utils.js'
import type { AbiParameter, AbiType, ArrayType } from './abi.ts'
import { toAddress } from './address.ts'
import { fail, valueError } from './fail.ts'
import { encodeData } from './hex.ts'
import type { Atom } from './typed-data-types.ts'
import { show, type ValueError } from './value-error.ts'

/**
 * A decoded argument. Integers are decimal, addresses have EIP-55 case, bytes are DATA, booleans `true` or `false`.
 * Tuples and arrays are lists; array elements are named `[0]`, `[1]`…
 */
export type AbiValue = { name: string; type: string; value: string | readonly AbiValue[] }

/**
 * Number of words that may still be read. Many offsets can point to the same bytes, so the size of the data does not
 * bound the work.
 */
export type ReadBudget = { words: number }

/** Maximum number of words read for one call, including nested calls. */
export const MAX_ARGUMENT_WORDS = 1 << 15

/** Decoded arguments. `unusual` describes the first difference from the standard ABI encoding, if there is one. */
export type DecodedArguments = { values: readonly AbiValue[]; unusual?: ValueError }

const WORD = 32
const WORD_BITS = 256

/** The data being read, the first encoding anomaly, and the remaining budget. */
type Source = { bytes: Uint8Array; unusual?: ValueError; budget: ReadBudget }

/** Converts a count of words to a JavaScript number. Throws ValueError if the count exceeds the budget. */
const affordable = ({ budget }: Source, words: bigint, place: string): number =>
  words <= BigInt(budget.words) ? Number(words) : fail(place, words, 'tooManyWords')

const spend = (source: Source, words: bigint, place: string) => {
  source.budget.words -= affordable(source, words, place)
}

const isDynamic = (type: AbiType): boolean => {
  if (type.kind === 'tuple') return type.fields.some(field => isDynamic(field.type))
  if (type.kind === 'array') return type.length === undefined || isDynamic(type.element)
  return type.kind === 'bytes' || type.kind === 'string'
}

/** Size in bytes of a value's head: the value itself, or 32 for the offset of a dynamic value. */
const headSize = (type: AbiType): number => {
  if (isDynamic(type)) return WORD
  if (type.kind === 'tuple') return type.fields.reduce((sum, field) => sum + headSize(field.type), 0)
  return type.kind === 'array' ? (type.length ?? 0) * headSize(type.element) : WORD
}

/** Reads `size` bytes, padded with zeros past the end, as CALLDATALOAD and CALLDATACOPY do. */
const take = (source: Source, at: number, size: number, place: string): Uint8Array => {
  const taken = source.bytes.subarray(at, at + size)
  if (taken.length === size) return taken
  source.unusual ??= valueError('tooShort', { place, value: show(encodeData(taken)), wanted: size })
  const padded = new Uint8Array(size)
  padded.set(taken)
  return padded
}

const isZero = (bytes: Uint8Array) => bytes.every(byte => byte === 0)

const readNumber = (source: Source, at: number, place: string): bigint => bytesToNumberBE(take(source, at, WORD, place))

const readWord = (
  source: Source,
  type: Exclude<Atom, { kind: 'bytes' | 'string' }>,
  at: number,
  place: string,
): string => {
  const word = take(source, at, WORD, place)
  switch (type.kind) {
    case 'bool': {
      const value = bytesToNumberBE(word)
      if (value > 1n) source.unusual ??= valueError('notParity', { place, value: show(value) })
      return String(value !== 0n)
    }
    case 'address':
      if (!isZero(word.subarray(0, 12)))
        source.unusual ??= valueError('wideAddress', { place, value: show(encodeData(word)) })
      return toAddress(encodeData(word.subarray(12)))
    case 'bytesN':
      if (!isZero(word.subarray(type.size)))
        source.unusual ??= valueError('longerThanType', {
          place,
          value: show(encodeData(word)),
          type: `bytes${type.size}`,
        })
      return encodeData(word.subarray(0, type.size))
    default: {
      const mask = type.kind === 'uint' ? BigInt.asUintN : BigInt.asIntN
      const integer = mask(WORD_BITS, bytesToNumberBE(word))
      const masked = mask(type.size, integer)
      if (masked !== integer)
        source.unusual ??= valueError('outOfRange', { place, value: show(integer), type: `${type.kind}${type.size}` })
      return String(masked)
    }
  }
}

const decodeUtf8 = (source: Source, bytes: Uint8Array, place: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    source.unusual ??= valueError('notUtf8', { place, value: show(encodeData(bytes)) })
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }
}

type Read<T> = { value: T; end: number }

/** Reads a length, then that many bytes padded with zeros to whole words. */
const readBytes = (source: Source, at: number, place: string): Read<Uint8Array> => {
  const length = readNumber(source, at, place)
  const words = (length + BigInt(WORD - 1)) / BigInt(WORD)
  spend(source, words, place)
  const content = take(source, at + WORD, Number(words) * WORD, place)
  const padding = content.subarray(Number(length))
  if (!isZero(padding)) source.unusual ??= valueError('notPadding', { place, value: show(encodeData(padding)) })
  return { value: content.subarray(0, Number(length)), end: at + WORD + content.length }
}

const readArray = (source: Source, type: ArrayType, at: number, place: string): Read<AbiValue[]> => {
  const { element, text } = type
  const length = affordable(
    source,
    type.length === undefined ? readNumber(source, at, place) : BigInt(type.length),
    place,
  )
  const elements = Array.from({ length }, (_, i) => ({ name: `[${i}]`, type: element, text }))
  return readList(source, elements, type.length === undefined ? at + WORD : at, place)
}

const readValue = (source: Source, type: AbiType, at: number, place: string): Read<AbiValue['value']> => {
  if (type.kind === 'tuple') return readList(source, type.fields, at, `${place}.`)
  if (type.kind === 'array') return readArray(source, type, at, place)
  if (type.kind !== 'bytes' && type.kind !== 'string')
    return { value: readWord(source, type, at, place), end: at + WORD }
  const { value, end } = readBytes(source, at, place)
  return { value: type.kind === 'bytes' ? encodeData(value) : decodeUtf8(source, value, place), end }
}

/** Resolves an offset. The EVM adds modulo 2^256, so a large offset points backwards. */
const follow = (source: Source, start: number, offset: bigint, place: string): number => {
  const at = BigInt.asUintN(WORD_BITS, BigInt(start) + offset)
  return at <= BigInt(source.bytes.length) ? Number(at) : fail(place, offset, 'pointsOutside')
}

/** Reads the heads of a list of values and the tails they point to. Encoders write the tails in order, without gaps. */
const readList = (source: Source, list: readonly AbiParameter[], start: number, prefix: string): Read<AbiValue[]> => {
  let head = start
  let tail = start + list.reduce((sum, { type }) => sum + headSize(type), 0)
  const value = list.map(({ name, type, text }) => {
    const place = `${prefix}${name}`
    spend(source, 1n, place)
    const dynamic = isDynamic(type)
    let at = head
    if (dynamic) {
      const offset = readNumber(source, head, place)
      at = follow(source, start, offset, place)
      if (at !== tail)
        source.unusual ??= valueError('otherOffset', { place, value: show(offset), wanted: tail - start })
    }
    const read = readValue(source, type, at, place)
    if (dynamic) tail = read.end
    head += headSize(type)
    return { name, type: text, value: read.value }
  })
  return { value, end: tail }
}

/**
 * Reads arguments from `start` on, as a contract does. Throws ValueError if an offset points outside the data or the
 * `budget` runs out.
 */
export const readArguments = (
  bytes: Uint8Array,
  parameters: readonly AbiParameter[],
  start = 0,
  budget: ReadBudget = { words: MAX_ARGUMENT_WORDS },
): DecodedArguments => {
  const source: Source = { bytes, budget }
  const { value, end } = readList(source, parameters, start, '')
  if (end < bytes.length)
    source.unusual ??= valueError('leftOver', { place: 'data', value: show(encodeData(bytes.subarray(end))) })
  return { values: value, ...(source.unusual !== undefined && { unusual: source.unusual }) }
}

/** Decodes arguments. Throws ValueError unless re-encoding them would give exactly the same bytes. */
export const decodeArguments = (bytes: Uint8Array, parameters: readonly AbiParameter[]): readonly AbiValue[] => {
  const { values, unusual } = readArguments(bytes, parameters)
  if (unusual !== undefined) throw unusual
  return values
}
