/** Structured data that people sign: https://eips.ethereum.org/EIPS/eip-712 */
import { numberToBytesBE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { fail, type Hex, toBytes } from './hex.ts'
import { parseSignature, recoverAddress, serializeSignature, sign } from './signature.ts'
import {
  type Atom,
  DOMAIN_FIELDS,
  DOMAIN_TYPE,
  isObject,
  MAX_NAME_LENGTH,
  parseType,
  parseTypes,
  type TypedDataField,
  type TypedDataTypes,
  typeHash,
} from './typed-data-types.ts'
import { type OnUndeclared, parseStruct, type Struct, type Value } from './typed-data-values.ts'

export { encodeType, type TypedDataField, type TypedDataTypes, typeHash } from './typed-data-types.ts'
export type { Struct, Value } from './typed-data-values.ts'

/**
 * What `parseTypedData` has checked: plain JSON, a copy, with the domain's type among `types`. `undeclared` are the places
 * of fields that came with the message and are not signed, at most MAX_UNDECLARED of them.
 */
export type TypedData = {
  types: TypedDataTypes
  primaryType: string
  domain: Struct
  message: Struct
  undeclared: readonly string[]
}

/** The version of `eth_signTypedData`: V3 has no form for arrays and absent references. */
export type TypedDataVersion = 'V3' | 'V4'

/** A value as a tree for showing, in the order in which it is hashed. An array's element has `[0]` as its name. */
export type ValueNode = { name: string; type: string; value: string | readonly ValueNode[] }

/** Characters of typed data that comes as JSON text. */
export const MAX_JSON_LENGTH = 1 << 20

/** Undeclared fields that are told apart. */
export const MAX_UNDECLARED = 64

const WORD = 32
const ZERO_WORD = new Uint8Array(WORD)
const PREFIX = Uint8Array.of(0x19, 0x01)

const fromJson = (text: string): unknown => {
  if (text.length > MAX_JSON_LENGTH) return fail('typed data', text, `is longer than ${MAX_JSON_LENGTH} characters`)
  try {
    return JSON.parse(text)
  } catch {
    return fail('typed data', text, 'is not JSON')
  }
}

/** The fields that the domain has, or those declared: in another order than the standard's they are hashed in two ways. */
const domainFields = (types: TypedDataTypes, domain: object): readonly TypedDataField[] => {
  if (!Object.hasOwn(types, DOMAIN_TYPE)) return DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name))
  const declared = types[DOMAIN_TYPE] ?? []
  const standard = DOMAIN_FIELDS.filter(({ name }) => declared.some(field => field.name === name))
  const wrong = declared.findIndex(({ name, type }, at) => standard[at]?.name !== name || standard[at]?.type !== type)
  if (wrong === -1) return declared
  const { name, type } = declared[wrong] ?? {}
  return fail(`types.${DOMAIN_TYPE}[${wrong}]`, `${type} ${name}`, 'is not what the standard has there')
}

/** Libraries disagree on whether such a field of the domain is hashed. */
const refuseUndeclared: OnUndeclared = (field, struct, place) =>
  fail(place, field, `is no field of ${struct} and would not be signed`)

/**
 * Parses typed data, an object or JSON text. Refuses whatever implementations hash in different ways: missing fields,
 * undeclared fields of the domain, aliases, values of another kind or out of range. Undeclared fields of the message are
 * hashed by nobody and left out. Throws ValueError with the place: `message.orders[3].price: 2^256 does not fit uint256`.
 */
export const parseTypedData = (value: unknown): TypedData => {
  const data = typeof value === 'string' ? fromJson(value) : value
  if (!isObject(data)) return fail('typed data', data, 'is not an object')
  const { types: given, primaryType, domain, message } = data
  if (!isObject(domain)) return fail('domain', domain, 'is not an object')
  const declared = parseTypes(given)
  if (typeof primaryType !== 'string' || primaryType === DOMAIN_TYPE || !Object.hasOwn(declared, primaryType))
    return fail('primaryType', primaryType, 'is not the name of a struct in types')
  const types = { ...declared, [DOMAIN_TYPE]: domainFields(declared, domain) }
  const undeclared: string[] = []
  const onUndeclared: OnUndeclared = (field, _struct, place) => {
    if (undeclared.length < MAX_UNDECLARED) undeclared.push(`${place}.${field.slice(0, MAX_NAME_LENGTH)}`)
  }
  return {
    types,
    primaryType,
    domain: parseStruct(types, DOMAIN_TYPE, domain, 'domain', refuseUndeclared),
    message: parseStruct(types, primaryType, message, 'message', onUndeclared),
    undeclared,
  }
}

const encodeAtom = (type: Atom, value: Value): Uint8Array => {
  const text = String(value)
  switch (type.kind) {
    case 'string':
      return keccak_256(utf8ToBytes(text))
    case 'bytes':
      return keccak_256(toBytes(text))
    case 'bytesN':
      return concatBytes(toBytes(text), new Uint8Array(WORD - type.size))
    case 'bool':
      return numberToBytesBE(value === true ? 1 : 0, WORD)
    default:
      return numberToBytesBE(BigInt.asUintN(8 * WORD, BigInt(text)), WORD)
  }
}

/** keccak256 of the type's hash and the encoded fields, 32 bytes. The struct is one that `parseTypedData` made. */
export const hashStruct = (types: TypedDataTypes, name: string, struct: Struct): Uint8Array => {
  // A list of a thousand structs asks for the hash of one type a thousand times.
  const typeHashes = new Map<string, Uint8Array>()
  const hashType = (type: string): Uint8Array => {
    const hash = typeHashes.get(type) ?? typeHash(types, type)
    typeHashes.set(type, hash)
    return hash
  }

  const encode = (text: string, value: Value): Uint8Array => {
    if (value === null) return ZERO_WORD
    const type = parseType(types, text, name)
    if (type.kind === 'struct') return hash(type.name, value as Struct)
    if (type.kind !== 'array') return encodeAtom(type, value)
    return keccak_256(concatBytes(...(value as readonly Value[]).map(element => encode(type.element, element))))
  }

  const hash = (type: string, value: Struct): Uint8Array => {
    const words = (types[type] ?? []).map(field => encode(field.type, value[field.name] ?? null))
    return keccak_256(concatBytes(hashType(type), ...words))
  }

  return hash(name, struct)
}

/** The domain separator, 32 bytes. */
export const hashDomain = ({ types, domain }: TypedData): Uint8Array => hashStruct(types, DOMAIN_TYPE, domain)

const checkVersion3 = (types: TypedDataTypes, text: string, value: Value, place: string): void => {
  if (value === null) fail(place, value, 'has no form in version 3')
  const type = parseType(types, text, place)
  if (type.kind === 'array') fail(place, text, 'is an array, which has no form in version 3')
  if (type.kind !== 'struct') return
  for (const field of types[type.name] ?? [])
    checkVersion3(types, field.type, (value as Struct)[field.name] ?? null, `${place}.${field.name}`)
}

/** The 32 bytes to sign: keccak256 of 0x1901, the domain separator and the message's hash. Throws ValueError in V3. */
export const hashTypedData = (data: TypedData, version: TypedDataVersion = 'V4'): Uint8Array => {
  const { types, primaryType, message } = data
  if (version === 'V3') checkVersion3(types, primaryType, message, 'message')
  return keccak_256(concatBytes(PREFIX, hashDomain(data), hashStruct(types, primaryType, message)))
}

/** Signs typed data: r ‖ s ‖ v in 65 bytes. */
export const signTypedData = (data: TypedData, privateKey: Uint8Array, version: TypedDataVersion = 'V4'): Hex =>
  serializeSignature(sign(hashTypedData(data, version), privateKey))

/** The account that signed. Throws ValueError for what is no signature. */
export const recoverTypedData = (data: TypedData, signature: unknown, version: TypedDataVersion = 'V4'): Address =>
  recoverAddress(hashTypedData(data, version), parseSignature(signature))

const describe = (types: TypedDataTypes, text: string, value: Value, name: string): ValueNode => {
  if (value === null) return { name, type: text, value: 'none' }
  const type = parseType(types, text, name)
  if (type.kind === 'struct') return { name, type: text, value: describeFields(types, type.name, value as Struct) }
  if (type.kind !== 'array') return { name, type: text, value: String(value) }
  const elements = (value as readonly Value[]).map((element, at) => describe(types, type.element, element, `[${at}]`))
  return { name, type: text, value: elements }
}

const describeFields = (types: TypedDataTypes, name: string, struct: Struct): readonly ValueNode[] =>
  (types[name] ?? []).map(field => describe(types, field.type, struct[field.name] ?? null, field.name))

/** All that is hashed, in that order, as text. An absent reference is `none`. */
export const describeTypedData = ({
  types,
  primaryType,
  domain,
  message,
}: TypedData): { domain: readonly ValueNode[]; message: ValueNode } => ({
  domain: describeFields(types, DOMAIN_TYPE, domain),
  message: describe(types, primaryType, message, primaryType),
})
