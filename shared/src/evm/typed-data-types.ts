/** The types of EIP-712: their grammar, their graph, and `encodeType`. https://eips.ethereum.org/EIPS/eip-712 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { fail } from './hex.ts'

export type TypedDataField = { name: string; type: string }
/** Struct types by name, their fields in the order in which they are hashed. */
export type TypedDataTypes = Readonly<Record<string, readonly TypedDataField[]>>

/** A type without parts, the same in the contract ABI. `size` is bytes of a fixed `bytesN`, bits of an integer. */
export type Atom = { kind: 'bool' | 'address' | 'string' | 'bytes' } | { kind: 'bytesN' | 'uint' | 'int'; size: number }

/** A type as its text says it. `size` is null for an array of any number of elements. */
export type Type = Atom | { kind: 'array'; element: string; size: number | null } | { kind: 'struct'; name: string }

export const DOMAIN_TYPE = 'EIP712Domain'
/** The fields that a domain may have, in the order that the standard gives them. */
export const DOMAIN_FIELDS: readonly TypedDataField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

export const MAX_TYPES = 256
export const MAX_FIELDS = 256
/** Characters of a type or field name, array brackets included. */
export const MAX_NAME_LENGTH = 200

/** An identifier of Solidity; in type names also the colon that some applications use as a separator. */
const TYPE_NAME = /^[A-Za-z_$][\w$:]*$/
const FIELD_NAME = /^[A-Za-z_$][\w$]*$/
/** Names that mean something else to the objects of JavaScript. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

const ARRAY = /^(.+)\[(0|[1-9]\d{0,8})?\]$/
const INTEGER = /^(u?)int([1-9]\d{0,2})$/
const FIXED_BYTES = /^bytes([1-9]\d?)$/
const BYTES_MAX = 32
const BITS_MAX = 256

/** Reads the text of a type without parts; undefined for any other, the aliases `uint` and `int` among them. */
export const parseAtom = (text: string): Atom | undefined => {
  if (text === 'bool' || text === 'address' || text === 'string' || text === 'bytes') return { kind: text }
  const bytes = FIXED_BYTES.exec(text)
  if (bytes && Number(bytes[1]) <= BYTES_MAX) return { kind: 'bytesN', size: Number(bytes[1]) }
  const integer = INTEGER.exec(text)
  const bits = Number(integer?.[2])
  if (integer && bits <= BITS_MAX && bits % 8 === 0) return { kind: integer[1] === 'u' ? 'uint' : 'int', size: bits }
  return undefined
}

/** Reads the text of a type. Throws ValueError for what is neither built in nor among `types`. */
export const parseType = (types: TypedDataTypes, text: string, place: string): Type => {
  const array = ARRAY.exec(text)
  if (array?.[1] !== undefined)
    return { kind: 'array', element: array[1], size: array[2] === undefined ? null : Number(array[2]) }
  const atom = parseAtom(text)
  if (atom) return atom
  if (text === 'uint' || text === 'int')
    return fail(place, text, `is an alias, which is hashed differently: use ${text}256`)
  if (!Object.hasOwn(types, text)) return fail(place, text, 'is no type of EIP-712 and not defined in types')
  return { kind: 'struct', name: text }
}

/** The struct at the bottom of a type, whatever arrays are around it; undefined for built-in types. */
const structIn = (types: TypedDataTypes, text: string): string | undefined => {
  const base = text.replace(/(?:\[\d*\])+$/, '')
  return Object.hasOwn(types, base) ? base : undefined
}

/** The structs that a struct refers to, over any number of steps; itself only where it is recursive. */
export const referencesOf = (types: TypedDataTypes, name: string): Set<string> => {
  const found = new Set<string>()
  const open = [name]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { type } of types[next] ?? []) {
      const struct = structIn(types, type)
      if (struct === undefined || found.has(struct)) continue
      found.add(struct)
      open.push(struct)
    }
  }
  return found
}

const encodeOne = (types: TypedDataTypes, name: string) =>
  `${name}(${(types[name] ?? []).map(field => `${field.type} ${field.name}`).join(',')})`

/** `Mail(Person from,Person to,string contents)Person(string name,address wallet)`. */
export const encodeType = (types: TypedDataTypes, name: string): string => {
  const references = referencesOf(types, name)
  references.delete(name)
  return [name, ...[...references].sort()].map(type => encodeOne(types, type)).join('')
}

/** Hashes that were computed, by the types they belong to: a list of a thousand structs asks for the same a thousand times. */
const typeHashes = new WeakMap<TypedDataTypes, Map<string, Uint8Array>>()

/** keccak256 of `encodeType`, 32 bytes. */
export const typeHash = (types: TypedDataTypes, name: string): Uint8Array => {
  const known = typeHashes.get(types) ?? new Map<string, Uint8Array>()
  typeHashes.set(types, known)
  const hash = known.get(name) ?? keccak_256(utf8ToBytes(encodeType(types, name)))
  known.set(name, hash)
  return hash
}

const checkName = (name: unknown, grammar: RegExp, place: string): string => {
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !grammar.test(name))
    return fail(place, name, 'is not a name: a letter, then letters, digits, _ or $')
  return RESERVED.has(name) ? fail(place, name, 'is a reserved name') : name
}

const parseFields = (value: unknown, place: string): TypedDataField[] => {
  if (!Array.isArray(value)) return fail(place, value, 'is not a list of fields')
  if (value.length > MAX_FIELDS) return fail(place, value, `has more than ${MAX_FIELDS} fields`)
  const names = new Set<string>()
  return value.map((field: unknown, at) => {
    const here = `${place}[${at}]`
    if (typeof field !== 'object' || field === null || Array.isArray(field))
      return fail(here, field, 'is not a field: an object with name and type')
    const { name, type } = field as Partial<Record<string, unknown>>
    const checked = checkName(name, FIELD_NAME, `${here}.name`)
    if (names.has(checked)) return fail(`${here}.name`, name, 'is the name of an earlier field')
    names.add(checked)
    if (typeof type !== 'string' || type.length > MAX_NAME_LENGTH) return fail(`${here}.type`, type, 'is not a type')
    return { name: checked, type }
  })
}

/** Every type that a field's text goes through exists: `Person[2][]` → `Person[2]` → `Person`. */
const checkReferences = (types: TypedDataTypes, text: string, place: string): void => {
  const type = parseType(types, text, place)
  if (type.kind === 'array') checkReferences(types, type.element, place)
}

/** Reads `types`: every name well-formed, every reference defined. Throws ValueError. */
export const parseTypes = (value: unknown): TypedDataTypes => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail('types', value, 'is not an object')
  const entries = Object.entries(value)
  if (entries.length > MAX_TYPES) return fail('types', value, `defines more than ${MAX_TYPES} types`)
  const types: TypedDataTypes = Object.fromEntries(
    entries.map(([name, fields]) => {
      const place = `types.${checkName(name, TYPE_NAME, 'types')}`
      if (parseAtom(name) || name === 'uint' || name === 'int')
        return fail(place, name, 'is the name of a built-in type')
      return [name, parseFields(fields, place)]
    }),
  )
  for (const [name, fields] of Object.entries(types))
    for (const { name: field, type } of fields) checkReferences(types, type, `types.${name}.${field}`)
  return types
}
