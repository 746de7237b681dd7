/** Arguments of contract calls, in canonical form only: https://docs.soliditylang.org/en/latest/abi-spec.html */
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { toAddress } from './address.ts'
import { fail, fromBytes, type Hex } from './hex.ts'
import { type Atom, parseAtom } from './typed-data-types.ts'

type AbiType = Atom | ArrayType | { kind: 'tuple'; fields: readonly AbiParameter[] }

/** Without a `length` an array is a dynamic one. */
type ArrayType = { kind: 'array'; element: AbiType; text: string; length?: number }

/** `text` is the type as a selector's signature writes it. */
type AbiParameter = { name: string; type: AbiType; text: string }

/** A function of a contract. `signature` is the text whose hash begins with the `selector`. */
export type AbiFunction = { name: string; signature: string; selector: Hex; parameters: readonly AbiParameter[] }

/**
 * A decoded argument: integers in decimal, addresses in EIP-55 case, bytes as DATA, `true` or `false`, the fields of a
 * tuple, the elements of an array, which have `[0]` and so on as their names.
 */
export type AbiValue = { name: string; type: string; value: string | readonly AbiValue[] }

const WORD = 32

const FUNCTION = /^([\w$]+)\((.*)\)$/
const PARAMETER = /^(.+) ([\w$]+)$/
const TUPLE = /^\((.+)\)$/
const ARRAY = /^(.+)\[([1-9]\d{0,8})?\]$/

/** The parts of a list, at the commas that no bracket encloses. */
const splitList = (text: string): string[] => {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character !== ',' || depth > 0) continue
    parts.push(text.slice(from, at))
    from = at + 1
  }
  return text === '' ? [] : [...parts, text.slice(from)]
}

const signatureOf = (parameters: readonly AbiParameter[]) => `(${parameters.map(({ text }) => text).join(',')})`

const parseAbiType = (text: string): { type: AbiType; text: string } => {
  const [, element, length] = ARRAY.exec(text) ?? []
  if (element !== undefined) {
    const parsed = parseAbiType(element)
    const array: ArrayType = { kind: 'array', element: parsed.type, text: parsed.text }
    if (length === undefined) return { type: array, text: `${parsed.text}[]` }
    return { type: { ...array, length: Number(length) }, text: `${parsed.text}[${length}]` }
  }
  const tuple = TUPLE.exec(text)?.[1]
  if (tuple !== undefined) {
    const fields = parseParameters(tuple)
    return { type: { kind: 'tuple', fields }, text: signatureOf(fields) }
  }
  return { type: parseAtom(text) ?? fail('abi', text, 'is not a type'), text }
}

const parseParameters = (list: string): AbiParameter[] =>
  splitList(list).map(part => {
    const [, type, name] = PARAMETER.exec(part.trim()) ?? []
    if (type === undefined || name === undefined) return fail('abi', part, 'is not a type and a name')
    return { name, ...parseAbiType(type) }
  })

/** Reads `transfer(address to, uint256 value)`; a tuple stands as its parameters in brackets. Throws ValueError. */
export const parseFunction = (text: string): AbiFunction => {
  const [, name, list] = FUNCTION.exec(text) ?? []
  if (name === undefined || list === undefined) return fail('abi', text, 'is not a function: name(type name, …)')
  const parameters = parseParameters(list)
  const signature = `${name}${signatureOf(parameters)}`
  return { name, signature, selector: fromBytes(keccak_256(utf8ToBytes(signature)).subarray(0, 4)), parameters }
}

const isDynamic = (type: AbiType): boolean => {
  if (type.kind === 'tuple') return type.fields.some(field => isDynamic(field.type))
  if (type.kind === 'array') return type.length === undefined || isDynamic(type.element)
  return type.kind === 'bytes' || type.kind === 'string'
}

/** Bytes that a value takes where it is listed: itself, or the offset of a dynamic one. */
const headSize = (type: AbiType): number => {
  if (isDynamic(type)) return WORD
  if (type.kind === 'tuple') return type.fields.reduce((sum, field) => sum + headSize(field.type), 0)
  return type.kind === 'array' ? (type.length ?? 0) * headSize(type.element) : WORD
}

const take = (bytes: Uint8Array, at: number, size: number, place: string): Uint8Array =>
  at + size <= bytes.length
    ? bytes.subarray(at, at + size)
    : fail(place, fromBytes(bytes.subarray(at)), `is less than the ${size} bytes that it needs`)

const isZero = (bytes: Uint8Array) => bytes.every(byte => byte === 0)

/** A number that must count bytes or elements that are there. */
const readLength = (bytes: Uint8Array, at: number, unit: number, place: string): number => {
  const length = bytesToNumberBE(take(bytes, at, WORD, place))
  const room = bytes.length - at - WORD
  return length * BigInt(unit) <= BigInt(room) ? Number(length) : fail(place, length, 'promises more than there is')
}

const readInteger = ({ kind, size }: { kind: 'uint' | 'int'; size: number }, word: Uint8Array, place: string) => {
  const unsigned = bytesToNumberBE(word)
  const integer = kind === 'uint' ? unsigned : BigInt.asIntN(8 * WORD, unsigned)
  const fits = integer === (kind === 'uint' ? BigInt.asUintN(size, integer) : BigInt.asIntN(size, integer))
  return fits ? String(integer) : fail(place, integer, `does not fit ${kind}${size}`)
}

const readWord = (type: Exclude<Atom, { kind: 'bytes' | 'string' }>, word: Uint8Array, place: string): string => {
  switch (type.kind) {
    case 'bool': {
      const value = bytesToNumberBE(word)
      return value < 2n ? String(value === 1n) : fail(place, value, 'is neither 0 nor 1')
    }
    case 'address':
      return isZero(word.subarray(0, 12))
        ? toAddress(fromBytes(word.subarray(12)))
        : fail(place, fromBytes(word), 'is wider than an address')
    case 'bytesN':
      return isZero(word.subarray(type.size))
        ? fromBytes(word.subarray(0, type.size))
        : fail(place, fromBytes(word), `is longer than bytes${type.size}`)
    default:
      return readInteger({ kind: type.kind, size: type.size }, word, place)
  }
}

const decodeUtf8 = (bytes: Uint8Array, place: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return fail(place, fromBytes(bytes), 'is not UTF-8')
  }
}

type Read<T> = { value: T; end: number }

/** Bytes behind their length, filled up with zeros to whole words. */
const readBytes = (bytes: Uint8Array, at: number, place: string): Read<Uint8Array> => {
  const length = readLength(bytes, at, 1, place)
  const end = at + WORD + Math.ceil(length / WORD) * WORD
  const content = take(bytes, at + WORD, end - at - WORD, place)
  if (!isZero(content.subarray(length))) return fail(place, fromBytes(content.subarray(length)), 'is not zero padding')
  return { value: content.subarray(0, length), end }
}

const readArray = (type: ArrayType, bytes: Uint8Array, at: number, place: string): Read<AbiValue[]> => {
  const { element, text, length = readLength(bytes, at, headSize(element), place) } = type
  const start = type.length === undefined ? at + WORD : at
  // No more elements than there are bytes for: a type may name any number.
  take(bytes, start, length * headSize(element), place)
  const elements = Array.from({ length }, (_, i) => ({ name: `[${i}]`, type: element, text }))
  return readList(elements, bytes, start, place)
}

const readValue = (type: AbiType, bytes: Uint8Array, at: number, place: string): Read<AbiValue['value']> => {
  if (type.kind === 'tuple') return readList(type.fields, bytes, at, `${place}.`)
  if (type.kind === 'array') return readArray(type, bytes, at, place)
  if (type.kind !== 'bytes' && type.kind !== 'string')
    return { value: readWord(type, take(bytes, at, WORD, place), place), end: at + WORD }
  const { value, end } = readBytes(bytes, at, place)
  return { value: type.kind === 'bytes' ? fromBytes(value) : decodeUtf8(value, place), end }
}

/** Values in a row, then those that are dynamic, one after the other: each offset leads to where the one before ended. */
const readList = (
  list: readonly AbiParameter[],
  bytes: Uint8Array,
  start: number,
  prefix: string,
): Read<AbiValue[]> => {
  let head = start
  let tail = start + list.reduce((sum, { type }) => sum + headSize(type), 0)
  const value = list.map(({ name, type, text }) => {
    const place = `${prefix}${name}`
    const dynamic = isDynamic(type)
    if (dynamic) {
      const offset = bytesToNumberBE(take(bytes, head, WORD, place))
      if (offset !== BigInt(tail - start)) fail(place, offset, `is not its offset, which is ${tail - start}`)
    }
    const read = readValue(type, bytes, dynamic ? tail : head, place)
    if (dynamic) tail = read.end
    head += headSize(type)
    return { name, type: text, value: read.value }
  })
  return { value, end: tail }
}

/** Decodes arguments from all of the bytes. Throws ValueError unless the ABI encodes them to the same bytes. */
export const decodeArguments = (parameters: readonly AbiParameter[], bytes: Uint8Array): readonly AbiValue[] => {
  const { value, end } = readList(parameters, bytes, 0, '')
  if (end < bytes.length) fail('data', fromBytes(bytes.subarray(end)), 'is left over after the last argument')
  return value
}
