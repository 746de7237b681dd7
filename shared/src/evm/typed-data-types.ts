/** EIP-712 types: grammar, references and `encodeType`. https://eips.ethereum.org/EIPS/eip-712 */

import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { fail } from './fail.ts'
import { isObject } from './json.ts'

/** A struct field with its name and its type, such as `uint256` or `Person[2]`. */
export type TypedDataField = { name: string; type: string }
/** Structs by name. Fields are in hashing order. */
export type TypedDataTypes = Readonly<Record<string, readonly TypedDataField[]>>

/** A built-in type. `size` is in bytes for `bytesN` and in bits for integers. */
export type Atom =
  | { kind: 'bool' | 'address' }
  | { kind: 'string' }
  | { kind: 'bytes' }
  | { kind: 'bytesN'; size: number }
  | { kind: 'uint' | 'int'; size: number }

/** A parsed type. An array without `length` is dynamic. */
export type Type = Atom | { kind: 'array'; element: string; length?: number } | { kind: 'struct'; name: string }

/** Name of the domain's struct. */
export const DOMAIN_TYPE = 'EIP712Domain'
/** The domain's fields, in the order of EIP-712. */
export const DOMAIN_FIELDS: readonly TypedDataField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

const MAX_TYPES = 128
/** Maximum number of fields in all types together. */
const MAX_FIELDS = 1024
/** Maximum length in characters of a type name, a field name, and a field's type including brackets. */
export const MAX_NAME_LENGTH = 100

// Some applications write a colon in type names.
const TYPE_NAME = /^[A-Za-z_][\w:]*$/
const FIELD_NAME = /^[A-Za-z_$][\w$]*$/
/** Names with a special meaning on JavaScript objects. */
const RESERVED: readonly unknown[] = ['__proto__', 'constructor', 'prototype']
/** Built-in type names and lookalikes. Some implementations ignore a struct with such a name. */
const BUILT_IN = /^(?:bool|address|string|function|bytes?\d*|u?int\d*|u?fixed(?:\d+x\d+)?)$/

const ARRAY = /^(.+)\[([1-9]\d{0,8})?\]$/
const INTEGER = /^(u?)int([1-9]\d{0,2})$/
const FIXED_BYTES = /^bytes([1-9]\d?)$/
const MAX_BYTES = 32
const MAX_BITS = 256

/** Parses a built-in type. Returns undefined for any other text. */
export const parseAtom = (text: string): Atom | undefined => {
  if (text === 'bool' || text === 'address' || text === 'string' || text === 'bytes') return { kind: text }
  const bytes = Number(FIXED_BYTES.exec(text)?.[1])
  if (bytes <= MAX_BYTES) return { kind: 'bytesN', size: bytes }
  const bits = Number(INTEGER.exec(text)?.[2])
  if (bits <= MAX_BITS && bits % 8 === 0) return { kind: text.startsWith('u') ? 'uint' : 'int', size: bits }
  return undefined
}

/**
 * True for a domain field with one of the standard's names. Signers and verifiers hash the declared type, so any
 * built-in type is accepted: Cosmos chains declare `string verifyingContract`. The chain id must be an integer, because
 * it is compared.
 */
export const isDomainField = ({ name, type }: TypedDataField): boolean => {
  const kind = parseAtom(type)?.kind
  if (name === 'chainId') return kind === 'uint' || kind === 'int'
  return kind !== undefined && DOMAIN_FIELDS.some(field => field.name === name)
}

/** Parses a type. Throws ValueError if it is neither built in nor defined in `types`. */
export const parseType = (text: string, types: TypedDataTypes, place: string): Type => {
  const [array, element, length] = ARRAY.exec(text) ?? []
  if (array !== undefined && element !== undefined)
    return length === undefined ? { kind: 'array', element } : { kind: 'array', element, length: Number(length) }
  if (text === 'uint' || text === 'int') return fail(place, text, 'aliasType', { type: `${text}256` })
  const atom = parseAtom(text)
  if (atom !== undefined) return atom
  return Object.hasOwn(types, text) ? { kind: 'struct', name: text } : fail(place, text, 'unknownType')
}

/** Returns the struct that a type refers to, without array brackets, or undefined for a built-in type. */
const structIn = (types: TypedDataTypes, text: string): string | undefined => {
  const base = text.replace(/\[.*/, '')
  return Object.hasOwn(types, base) ? base : undefined
}

/** Returns all structs that a struct refers to, directly or indirectly. It includes itself only if it is recursive. */
export const referencesOf = (name: string, types: TypedDataTypes): Set<string> => {
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

const encodeOne = (types: TypedDataTypes, name: string): string =>
  `${name}(${(types[name] ?? []).map(field => `${field.type} ${field.name}`).join(',')})`

/** Returns, for example, `Mail(Person from,Person to,string contents)Person(string name,address wallet)`. */
export const encodeType = (name: string, types: TypedDataTypes): string => {
  const references = referencesOf(name, types)
  references.delete(name)
  return [name, ...[...references].sort()].map(struct => encodeOne(types, struct)).join('')
}

/** Returns keccak256 of `encodeType`, 32 bytes. */
export const typeHash = (name: string, types: TypedDataTypes): Uint8Array =>
  keccak_256(utf8ToBytes(encodeType(name, types)))

const parseName = (name: unknown, grammar: RegExp, place: string): string => {
  if (RESERVED.includes(name)) return fail(place, name, 'reservedName')
  return typeof name === 'string' && name.length <= MAX_NAME_LENGTH && grammar.test(name)
    ? name
    : fail(place, name, 'notName', { limit: MAX_NAME_LENGTH })
}

const parseField = (value: unknown, place: string): TypedDataField => {
  if (!isObject(value)) return fail(place, value, 'notField')
  const { name, type } = value
  const field = parseName(name, FIELD_NAME, `${place}.name`)
  if (typeof type !== 'string' || type.length > MAX_NAME_LENGTH)
    return fail(`${place}.type`, type, 'notTypeName', { limit: MAX_NAME_LENGTH })
  return { name: field, type }
}

const parseStructType = (name: string, value: unknown): readonly TypedDataField[] => {
  const place = `types.${parseName(name, TYPE_NAME, 'types')}`
  if (BUILT_IN.test(name)) return fail('types', name, 'builtInName')
  if (!Array.isArray(value)) return fail(place, value, 'notFields')
  const fields = Array.from(value, (field: unknown, at) => parseField(field, `${place}[${at}]`))
  const names = fields.map(field => field.name)
  const repeated = names.findIndex((field, at) => names.indexOf(field) !== at)
  return repeated === -1 ? fields : fail(`${place}[${repeated}].name`, names[repeated], 'repeatedName')
}

/** Checks that every type a field refers to is defined: `Person[2][]`, `Person[2]`, `Person`. */
const checkReferences = (types: TypedDataTypes, text: string, place: string): void => {
  const type = parseType(text, types, place)
  if (type.kind === 'array') checkReferences(types, type.element, place)
}

/**
 * Parses `types`. Throws ValueError for a malformed name, a reference to an undefined type, or too many types or
 * fields.
 */
export const parseTypes = (value: unknown): TypedDataTypes => {
  if (!isObject(value)) return fail('types', value, 'notObject')
  const entries = Object.entries(value)
  if (entries.length > MAX_TYPES) return fail('types', entries.length, 'overLimit', { limit: MAX_TYPES })
  const count = entries.reduce((sum, [, fields]) => sum + (Array.isArray(fields) ? fields.length : 0), 0)
  if (count > MAX_FIELDS) return fail('types', count, 'overLimit', { limit: MAX_FIELDS })
  const types: TypedDataTypes = Object.fromEntries(
    entries.map(([name, fields]) => [name, parseStructType(name, fields)]),
  )
  const structs = Object.keys(types).filter(name => name !== DOMAIN_TYPE)
  // Some implementations resolve references to a type with a colon by the part before the colon. A colon is therefore
  // allowed only in the name of the sole struct type.
  const colon = structs.find(name => name.includes(':'))
  if (colon !== undefined && (structs.length > 1 || colon.startsWith(`${DOMAIN_TYPE}:`)))
    return fail('types', colon, 'colonInName')
  for (const [name, fields] of Object.entries(types))
    for (const [at, field] of fields.entries()) checkReferences(types, field.type, `types.${name}[${at}].type`)
  return types
}
