/** Strict checks of EIP-712 values against their types, without coercion or defaults: https://eips.ethereum.org/EIPS/eip-712 */
import { fromChainCase, toAddress } from './address.ts'
import { fail } from './fail.ts'
import { decodeData, encodeData } from './hex.ts'
import { isObject } from './json.ts'
import { type Atom, parseType, referencesOf, type Type, type TypedDataTypes } from './typed-data-types.ts'

/** A checked value: integers are decimal digits, bytes lower-case DATA, addresses in EIP-55 case. */
export type TypedDataValue = string | boolean | null | readonly TypedDataValue[] | TypedDataStruct
/** The fields of a struct by name. */
export type TypedDataStruct = { readonly [field: string]: TypedDataValue }

/** Maximum number of values in a message or domain, including structs and arrays. */
const MAX_NODES = 4096
/** Maximum nesting of structs and arrays. */
const MAX_DEPTH = 64
/** Maximum length of an integer in characters: a sign, and the 78 digits of 256 bits. */
const MAX_INTEGER_LENGTH = 79

const INTEGER = /^(?:-?\d+|0x[0-9a-fA-F]+)$/
/** An unpaired surrogate, which UTF-8 cannot encode. */
const LONE_SURROGATE = /\p{Cs}/u

const toInteger = (value: unknown, place: string): bigint => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && value.length <= MAX_INTEGER_LENGTH && INTEGER.test(value)) return BigInt(value)
  return fail(place, value, 'notInteger')
}

const parseInteger = (kind: 'uint' | 'int', bits: number, value: unknown, place: string): string => {
  const integer = toInteger(value, place)
  const wrapped = kind === 'uint' ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)
  return wrapped === integer ? String(integer) : fail(place, integer, 'outOfRange', { type: `${kind}${bits}` })
}

const parseString = (value: unknown, place: string): string => {
  if (typeof value !== 'string') return fail(place, value, 'notString')
  return LONE_SURROGATE.test(value) ? fail(place, value, 'notUnicode') : value
}

/** Chain id of Ethereum, whose addresses have EIP-55 case only. */
const ETHEREUM = 1

/**
 * Checks a value of a built-in type, and returns it in normal form. Addresses may be in the chain's EIP-1191 case.
 * Throws a ValueError that names the place.
 */
export const parseAtomValue = (value: unknown, type: Atom, place: string, chainId = ETHEREUM): string | boolean => {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : fail(place, value, 'notBoolean')
    case 'address':
      return toAddress(fromChainCase(value, chainId), place)
    case 'string':
      return parseString(value, place)
    case 'bytes':
      return encodeData(decodeData(value, place))
    case 'bytesN':
      return encodeData(decodeData(value, place, type.size))
    default:
      return parseInteger(type.kind, type.size, value, place)
  }
}

/** True for a missing value. Many sites write null for a field that is missing. */
export const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

/** Called for each undeclared field that has a value. `place` is the struct's place. */
export type OnUndeclared = (field: string, struct: string, place: string) => void

/**
 * Parses a struct and its contents. Drops undeclared fields after calling `onUndeclared`. Throws a ValueError that
 * names the place of the first wrong value.
 */
export const parseStruct = (
  value: unknown,
  types: TypedDataTypes,
  name: string,
  place: string,
  onUndeclared: OnUndeclared,
  chainId?: number,
): TypedDataStruct => {
  let nodes = 0
  // A recursive type refers to itself, so the innermost value must omit this reference. An omitted reference hashes to
  // a word of zeros.
  const recursive = new Set(Object.keys(types).filter(struct => referencesOf(struct, types).has(struct)))

  const parseFields = (struct: string, value: unknown, place: string, depth: number): TypedDataStruct => {
    if (!isObject(value)) return fail(place, value, 'notStruct', { type: struct })
    const fields = types[struct] ?? []
    const declared = new Set(fields.map(field => field.name))
    for (const key of Object.keys(value))
      if (!declared.has(key) && !isAbsent(value[key])) onUndeclared(key, struct, place)
    return Object.fromEntries(
      fields.map(field => {
        const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined
        return [field.name, parseValue(field.type, member, `${place}.${field.name}`, depth + 1)]
      }),
    )
  }

  const parseArray = ({ element, length }: Type & { kind: 'array' }, value: unknown, place: string, depth: number) => {
    if (!Array.isArray(value)) return fail(place, value, 'notArray')
    if (length !== undefined && value.length !== length)
      return fail(place, value, 'wrongElementCount', { wanted: length })
    return Array.from(value, (item: unknown, at) => parseValue(element, item, `${place}[${at}]`, depth + 1))
  }

  const parseValue = (text: string, value: unknown, place: string, depth: number): TypedDataValue => {
    nodes++
    if (nodes > MAX_NODES) return fail(place, nodes, 'overLimit', { limit: MAX_NODES })
    if (depth > MAX_DEPTH) return fail(place, depth, 'overLimit', { limit: MAX_DEPTH })
    const type = parseType(text, types, place)
    if (isAbsent(value)) return recursive.has(text) ? null : fail(place, value, 'notOfType', { type: text })
    if (type.kind === 'struct') return parseFields(type.name, value, place, depth)
    return type.kind === 'array' ? parseArray(type, value, place, depth) : parseAtomValue(value, type, place, chainId)
  }

  return parseFields(name, value, place, 0)
}
