/** EIP-712 typed data: https://eips.ethereum.org/EIPS/eip-712 */

import { numberToBytesBE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { fail } from './fail.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { isObject } from './json.ts'
import { recoverAddress, sign } from './signature.ts'
import {
  type Atom,
  DOMAIN_FIELDS,
  DOMAIN_TYPE,
  isDomainField,
  MAX_NAME_LENGTH,
  parseType,
  parseTypes,
  type TypedDataField,
  type TypedDataTypes,
  typeHash,
} from './typed-data-types.ts'
import {
  isAbsent,
  type OnUndeclared,
  parseStruct,
  type TypedDataStruct,
  type TypedDataValue,
} from './typed-data-values.ts'

export { encodeType, type TypedDataField, type TypedDataTypes } from './typed-data-types.ts'
export type { TypedDataStruct, TypedDataValue } from './typed-data-values.ts'

/**
 * Typed data as checked and copied by `parseTypedData`. `types` includes the domain's type. `undeclared` lists the
 * places of at most MAX_UNDECLARED message fields that are not signed, because their struct does not declare them.
 */
export type TypedData = {
  types: TypedDataTypes
  primaryType: string
  domain: TypedDataStruct
  message: TypedDataStruct
  undeclared: readonly string[]
}

/** The version of `eth_signTypedData`. V3 does not support arrays and absent references. */
export type TypedDataVersion = 'V3' | 'V4'

/** A value for display, in hashing order. Array elements are named `[0]`, `[1]`… */
export type ValueNode = { name: string; type: string; value: string | readonly ValueNode[] }

/** Maximum length in characters of typed data given as JSON text. */
const MAX_JSON_LENGTH = 1 << 20

/** Maximum number of undeclared fields that are listed. */
const MAX_UNDECLARED = 64

const WORD = 32
const ZERO_WORD = new Uint8Array(WORD)
const PREFIX = Uint8Array.of(0x19, 0x01)

const fromJson = (text: string): unknown => {
  if (text.length > MAX_JSON_LENGTH) return fail('typed data', text, 'textTooLong', { limit: MAX_JSON_LENGTH })
  try {
    return JSON.parse(text)
  } catch {
    return fail('typed data', text, 'notJson')
  }
}

/**
 * Returns the domain fields in hashing order: as declared or, without a declaration, the present fields in the
 * standard's order.
 */
const domainFields = (types: TypedDataTypes, domain: Readonly<Record<string, unknown>>): readonly TypedDataField[] => {
  const declared = Object.hasOwn(types, DOMAIN_TYPE) ? types[DOMAIN_TYPE] : undefined
  if (!declared) return DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name) && !isAbsent(domain[name]))
  const wrong = declared.findIndex(field => !isDomainField(field))
  if (wrong === -1) return declared
  const { name, type } = declared[wrong] ?? {}
  return fail(`types.${DOMAIN_TYPE}[${wrong}]`, `${type} ${name}`, 'notDomainField')
}

/** Rejects undeclared domain fields: some libraries hash them, others do not. */
const refuseUndeclared: OnUndeclared = (field, struct, place) => fail(place, field, 'unsignedField', { type: struct })

/**
 * Parses typed data, given as an object or as JSON text. Throws a ValueError that names the place:
 * `message.orders[3].price: 2^256 does not fit uint256`.
 *
 * Rejects input that implementations hash differently: missing fields, undeclared domain fields, type aliases, and
 * values of a wrong type or out of range. The domain may declare its five fields in any order and with other built-in
 * types (the chain id: any integer type). Undeclared message fields are dropped, because no implementation hashes them.
 *
 * A null or undefined value of an undeclared field counts as absent. Addresses may be in the EIP-1191 case of the chain
 * `chainId`. Limits: 2^20 characters of JSON text, 128 structs, 1,024 struct fields, 4,096 values, and a depth of 64.
 */
export const parseTypedData = (value: unknown, chainId?: number): TypedData => {
  const data = typeof value === 'string' ? fromJson(value) : value
  if (!isObject(data)) return fail('typed data', data, 'notObject')
  const { types: given, primaryType, domain, message } = data
  if (!isObject(domain)) return fail('domain', domain, 'notObject')
  const declared = parseTypes(given)
  if (typeof primaryType !== 'string' || primaryType === DOMAIN_TYPE || !Object.hasOwn(declared, primaryType))
    return fail('primaryType', primaryType, 'notPrimaryType')
  const types = { ...declared, [DOMAIN_TYPE]: domainFields(declared, domain) }
  const undeclared: string[] = []
  const onUndeclared: OnUndeclared = (field, _struct, place) => {
    if (undeclared.length < MAX_UNDECLARED) undeclared.push(`${place}.${field.slice(0, MAX_NAME_LENGTH)}`)
  }
  return {
    types,
    primaryType,
    domain: parseStruct(domain, types, DOMAIN_TYPE, 'domain', refuseUndeclared, chainId),
    message: parseStruct(message, types, primaryType, 'message', onUndeclared, chainId),
    undeclared,
  }
}

const encodeAtom = (type: Atom, value: TypedDataValue): Uint8Array => {
  const text = String(value)
  switch (type.kind) {
    case 'string':
      return keccak_256(utf8ToBytes(text))
    case 'bytes':
      return keccak_256(decodeData(text))
    case 'bytesN':
      return concatBytes(decodeData(text), new Uint8Array(WORD - type.size))
    case 'bool':
      return numberToBytesBE(value === true ? 1 : 0, WORD)
    default:
      return numberToBytesBE(BigInt.asUintN(8 * WORD, BigInt(text)), WORD)
  }
}

/** Returns keccak256 of the type hash and the encoded fields, 32 bytes. */
const hashStruct = (struct: TypedDataStruct, name: string, types: TypedDataTypes): Uint8Array => {
  // Caches type hashes: an array of a thousand structs would compute the same one a thousand times.
  const typeHashes = new Map<string, Uint8Array>()
  const hashType = (type: string): Uint8Array => {
    const hash = typeHashes.get(type) ?? typeHash(type, types)
    typeHashes.set(type, hash)
    return hash
  }

  const encode = (text: string, value: TypedDataValue): Uint8Array => {
    if (value === null) return ZERO_WORD
    const type = parseType(text, types, name)
    if (type.kind === 'struct') return hash(type.name, value as TypedDataStruct)
    if (type.kind !== 'array') return encodeAtom(type, value)
    return keccak_256(
      concatBytes(...(value as readonly TypedDataValue[]).map(element => encode(type.element, element))),
    )
  }

  const hash = (type: string, value: TypedDataStruct): Uint8Array => {
    const words = (types[type] ?? []).map(field => encode(field.type, value[field.name] ?? null))
    return keccak_256(concatBytes(hashType(type), ...words))
  }

  return hash(name, struct)
}

/** Returns the domain separator, 32 bytes. */
export const hashDomain = ({ types, domain }: TypedData): Hex => encodeData(hashStruct(domain, DOMAIN_TYPE, types))

const checkVersion3 = (types: TypedDataTypes, text: string, value: TypedDataValue, place: string): void => {
  if (value === null) fail(place, value, 'notInVersion3')
  const type = parseType(text, types, place)
  if (type.kind === 'array') fail(place, text, 'arrayInVersion3')
  if (type.kind !== 'struct') return
  for (const field of types[type.name] ?? [])
    checkVersion3(types, field.type, (value as TypedDataStruct)[field.name] ?? null, `${place}.${field.name}`)
}

/**
 * Returns the hash to sign, 32 bytes: keccak256 of 0x1901, the domain separator and the message hash. Throws ValueError
 * for data that V3 does not support.
 */
export const hashTypedData = (data: TypedData, version: TypedDataVersion = 'V4'): Hex => {
  const { types, primaryType, domain, message } = data
  if (version === 'V3') checkVersion3(types, primaryType, message, 'message')
  const separator = hashStruct(domain, DOMAIN_TYPE, types)
  return encodeData(keccak_256(concatBytes(PREFIX, separator, hashStruct(message, primaryType, types))))
}

/** Signs typed data with a private key of 32 bytes. Returns r ‖ s ‖ v, 65 bytes. Throws ValueError. */
export const signTypedData = (data: TypedData, privateKey: Uint8Array, version: TypedDataVersion = 'V4'): Hex =>
  sign(hashTypedData(data, version), privateKey)

/** Recovers the account that signed. Throws ValueError for an invalid signature. */
export const recoverTypedData = (data: TypedData, signature: unknown, version: TypedDataVersion = 'V4'): Address =>
  recoverAddress(hashTypedData(data, version), signature)

const describe = (types: TypedDataTypes, text: string, value: TypedDataValue, name: string): ValueNode => {
  if (value === null) return { name, type: text, value: 'none' }
  const type = parseType(text, types, name)
  if (type.kind === 'struct')
    return { name, type: text, value: describeFields(types, type.name, value as TypedDataStruct) }
  if (type.kind !== 'array') return { name, type: text, value: String(value) }
  const elements = (value as readonly TypedDataValue[]).map((element, at) =>
    describe(types, type.element, element, `[${at}]`),
  )
  return { name, type: text, value: elements }
}

const describeFields = (types: TypedDataTypes, name: string, struct: TypedDataStruct): readonly ValueNode[] =>
  (types[name] ?? []).map(field => describe(types, field.type, struct[field.name] ?? null, field.name))

/** Returns all hashed values in hashing order, for display. Absent references are shown as `none`. */
export const describeTypedData = ({
  types,
  primaryType,
  domain,
  message,
}: TypedData): { domain: readonly ValueNode[]; message: ValueNode } => ({
  domain: describeFields(types, DOMAIN_TYPE, domain),
  message: describe(types, primaryType, message, primaryType),
})
