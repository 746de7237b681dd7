/** The values of EIP-712 against their types, strictly: no coercion, nothing missing, nothing left over. */
import { toAddress } from './address.ts'
import { fail, fromBytes, toBytes } from './hex.ts'
import { type Atom, parseType, referencesOf, type Type, type TypedDataTypes } from './typed-data-types.ts'

export type Value = string | boolean | null | readonly Value[] | Struct
export type Struct = { readonly [field: string]: Value }

/** Values in one message, structs and arrays counted, and how deep they may lie. */
export const MAX_NODES = 20_000
export const MAX_DEPTH = 64

const INTEGER = /^(?:-?\d+|0x[0-9a-f]+)$/i
/** Digits of the longest integer that is looked at: more never fit 256 bits. */
const MAX_INTEGER_LENGTH = 80
/** Half of a surrogate pair alone: UTF-8 has no form for it. */
const LONE_SURROGATE = /\p{Cs}/u

const toInteger = (value: unknown, place: string): bigint => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && value.length <= MAX_INTEGER_LENGTH && INTEGER.test(value)) return BigInt(value)
  return fail(place, value, 'is not an integer: a safe number, or decimal or 0x digits in a string')
}

const parseInteger = (
  { kind, size }: { kind: 'uint' | 'int'; size: number },
  value: unknown,
  place: string,
): string => {
  const integer = toInteger(value, place)
  const fits = integer === (kind === 'uint' ? BigInt.asUintN(size, integer) : BigInt.asIntN(size, integer))
  return fits ? String(integer) : fail(place, integer, `does not fit ${kind}${size}`)
}

const parseString = (value: unknown, place: string): string => {
  if (typeof value !== 'string') return fail(place, value, 'is not a string')
  return LONE_SURROGATE.test(value) ? fail(place, value, 'is not well-formed Unicode') : value
}

const parseAtomValue = (type: Atom, value: unknown, place: string): string | boolean => {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : fail(place, value, 'is neither true nor false')
    case 'address':
      return toAddress(value, place)
    case 'string':
      return parseString(value, place)
    case 'bytes':
      return fromBytes(toBytes(value, place))
    case 'bytesN':
      return fromBytes(toBytes(value, place, type.size))
    default:
      return parseInteger({ kind: type.kind, size: type.size }, value, place)
  }
}

/** What one parse has seen so far. */
type Budget = { nodes: number }

const spend = (budget: Budget, depth: number, place: string): void => {
  budget.nodes++
  if (budget.nodes > MAX_NODES) fail(place, `value ${budget.nodes}`, `is over the limit of ${MAX_NODES} values`)
  if (depth > MAX_DEPTH) fail(place, `depth ${depth}`, `is over the limit of ${MAX_DEPTH} levels`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const createParser = (types: TypedDataTypes, budget: Budget) => {
  /** A struct that can reach itself ends somewhere: there its reference is absent, which hashes to a zero word. */
  const mayBeAbsent = (type: Type) => type.kind === 'struct' && referencesOf(types, type.name).has(type.name)

  const parseArray = (element: string, size: number | null, value: unknown, place: string, depth: number) => {
    if (!Array.isArray(value)) return fail(place, value, 'is not an array')
    if (size !== null && value.length !== size) return fail(place, value, `has ${value.length} elements, not ${size}`)
    return value.map((item: unknown, at) => parseValue(element, item, `${place}[${at}]`, depth + 1))
  }

  const parseFields = (name: string, value: unknown, place: string, depth: number): Struct => {
    if (!isObject(value)) return fail(place, value, `is not an object, which ${name} is`)
    const fields = types[name] ?? []
    const unknown = Object.keys(value).find(key => fields.every(field => field.name !== key))
    if (unknown !== undefined) return fail(place, unknown, `is not a field of ${name}, so it would not be signed`)
    return Object.fromEntries(
      fields.map(field => {
        const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined
        return [field.name, parseValue(field.type, own, `${place}.${field.name}`, depth + 1)]
      }),
    )
  }

  const parseValue = (text: string, value: unknown, place: string, depth: number): Value => {
    spend(budget, depth, place)
    const type = parseType(types, text, place)
    if (value === undefined || value === null)
      return mayBeAbsent(type) ? null : fail(place, value, `is missing, which a ${text} must not be`)
    if (type.kind === 'array') return parseArray(type.element, type.size, value, place, depth)
    if (type.kind === 'struct') return parseFields(type.name, value, place, depth)
    return parseAtomValue(type, value, place)
  }

  return parseFields
}

/** Parses a struct of that name and everything in it. Throws ValueError with the place of the first value that is wrong. */
export const parseStruct = (types: TypedDataTypes, name: string, value: unknown, place: string): Struct =>
  createParser(types, { nodes: 0 })(name, value, place, 0)
