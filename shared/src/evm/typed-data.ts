/** Structured data that people sign: https://eips.ethereum.org/EIPS/eip-712 */
import { numberToBytesBE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { fail, type Hex, toBytes } from './hex.ts'
import { parseSignature, recoverAddress, serializeSignature, sign } from './signature.ts'
import {
  DOMAIN_FIELDS,
  DOMAIN_TYPE,
  parseType,
  parseTypes,
  type TypedDataField,
  type TypedDataTypes,
  typeHash,
} from './typed-data-types.ts'
import { parseStruct, type Struct, type Value } from './typed-data-values.ts'

export { encodeType, type TypedDataField, type TypedDataTypes, typeHash } from './typed-data-types.ts'
export type { Struct, Value } from './typed-data-values.ts'

/**
 * Typed data whose every value was checked against its type. It is plain JSON: integers are decimal strings, bytes are
 * lower-case DATA, addresses are in EIP-55 case, an absent reference of a recursive struct is null.
 */
export type TypedData = { types: TypedDataTypes; primaryType: string; domain: Struct; message: Struct }

/** The version of `eth_signTypedData`: V3 knows neither arrays nor absent references. */
export type TypedDataVersion = 'V3' | 'V4'

/** A value in the order in which it is hashed, for showing. An element of an array has its place as its name. */
export type ValueNode = { name: string; type: string; value: string | readonly ValueNode[] }

/** Characters of typed data as JSON text. */
export const MAX_JSON_LENGTH = 1 << 20

const WORD = 32
const ZERO_WORD = new Uint8Array(WORD)
const PREFIX = Uint8Array.of(0x19, 0x01)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fromJson = (text: string): unknown => {
  if (text.length > MAX_JSON_LENGTH) return fail('typed data', text, `is longer than ${MAX_JSON_LENGTH} characters`)
  try {
    return JSON.parse(text)
  } catch {
    return fail('typed data', text, 'is not JSON')
  }
}

/** The domain's fields: as declared, which must be the standard's in the standard's order, or those the domain has. */
const domainFields = (types: TypedDataTypes, domain: Record<string, unknown>): readonly TypedDataField[] => {
  const declared = types[DOMAIN_TYPE]
  if (declared === undefined) return DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name))
  const standard = DOMAIN_FIELDS.filter(({ name }) => declared.some(field => field.name === name))
  const same = declared.every(({ name, type }, at) => standard[at]?.name === name && standard[at]?.type === type)
  if (!same || declared.length !== standard.length)
    return fail(`types.${DOMAIN_TYPE}`, declared, 'are not fields of the standard in the order of the standard')
  return declared
}

/**
 * Parses typed data from an object or from JSON text. Refuses whatever implementations hash differently or leave out:
 * undeclared and missing fields, aliases, values out of range or of another kind. Throws ValueError with the place:
 * `message.orders[3].price: 2^256 does not fit uint256`.
 */
export const parseTypedData = (value: unknown): TypedData => {
  const data = typeof value === 'string' ? fromJson(value) : value
  if (!isObject(data)) return fail('typed data', data, 'is not an object')
  const { domain, message, primaryType } = data
  if (!isObject(domain)) return fail('domain', domain, 'is not an object')
  const declared = parseTypes(data.types)
  const types = { ...declared, [DOMAIN_TYPE]: domainFields(declared, domain) }
  if (typeof primaryType !== 'string' || primaryType === DOMAIN_TYPE || !Object.hasOwn(types, primaryType))
    return fail('primaryType', primaryType, 'is not the name of a struct in types')
  return {
    types,
    primaryType,
    domain: parseStruct(types, DOMAIN_TYPE, domain, 'domain'),
    message: parseStruct(types, primaryType, message, 'message'),
  }
}

const encodeInteger = (value: bigint): Uint8Array => numberToBytesBE(BigInt.asUintN(8 * WORD, value), WORD)

const padRight = (bytes: Uint8Array): Uint8Array => concatBytes(bytes, new Uint8Array(WORD - bytes.length))

/** A value as one word; a value longer than that as its hash. The value is one that `parseTypedData` made. */
const encodeValue = (types: TypedDataTypes, text: string, value: Value): Uint8Array => {
  if (value === null) return ZERO_WORD
  const type = parseType(types, text, text)
  if (type.kind === 'struct') return hashStruct(types, type.name, value as Struct)
  if (type.kind === 'array') {
    const elements = (value as readonly Value[]).map(element => encodeValue(types, type.element, element))
    return keccak_256(concatBytes(...elements))
  }
  if (type.kind === 'bool') return encodeInteger(value === true ? 1n : 0n)
  const atom = value as string
  if (type.kind === 'string') return keccak_256(utf8ToBytes(atom))
  if (type.kind === 'bytes') return keccak_256(toBytes(atom))
  return type.kind === 'bytesN' ? padRight(toBytes(atom)) : encodeInteger(BigInt(atom))
}

/** keccak256 of the type's hash and the encoded fields, 32 bytes. */
export const hashStruct = (types: TypedDataTypes, name: string, struct: Struct): Uint8Array => {
  const fields = types[name] ?? []
  return keccak_256(
    concatBytes(
      typeHash(types, name),
      ...fields.map(field => encodeValue(types, field.type, struct[field.name] ?? null)),
    ),
  )
}

/** The domain separator, 32 bytes. */
export const hashDomain = ({ types, domain }: TypedData): Uint8Array => hashStruct(types, DOMAIN_TYPE, domain)

/** V3 has no form for arrays and absent references; what it would hash instead, no contract verifies. */
const checkVersion3 = (types: TypedDataTypes, text: string, value: Value, place: string): void => {
  const type = parseType(types, text, place)
  if (value === null || type.kind === 'array')
    fail(place, text, 'is an array or absent, for which version 3 has no form')
  if (type.kind !== 'struct') return
  for (const field of types[type.name] ?? [])
    checkVersion3(types, field.type, (value as Struct)[field.name] ?? null, `${place}.${field.name}`)
}

/** The 32 bytes that are signed: keccak256 of 0x1901, the domain separator and the message's hash. */
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

const describe = (types: TypedDataTypes, name: string, text: string, value: Value): ValueNode => {
  if (value === null) return { name, type: text, value: 'none' }
  const type = parseType(types, text, name)
  if (type.kind === 'struct') return { name, type: text, value: describeFields(types, type.name, value as Struct) }
  if (type.kind !== 'array') return { name, type: text, value: String(value) }
  const elements = (value as readonly Value[]).map((element, at) => describe(types, `[${at}]`, type.element, element))
  return { name, type: text, value: elements }
}

const describeFields = (types: TypedDataTypes, name: string, struct: Struct): ValueNode[] =>
  (types[name] ?? []).map(field => describe(types, field.name, field.type, struct[field.name] ?? null))

/** Everything that is hashed, in that order, as text. */
export const describeTypedData = ({ types, primaryType, domain, message }: TypedData) => ({
  domain: describeFields(types, DOMAIN_TYPE, domain),
  message: describe(types, primaryType, primaryType, message),
})
