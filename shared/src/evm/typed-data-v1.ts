/**
 * Typed data before EIP-712 (version 1 of `eth_signTypedData`): a list of typed, named values. The signed hash covers
 * the hash of the types and names and the hash of the values in Solidity's packed encoding. The hash does not cover a
 * site, contract or chain, and it does not separate adjacent strings.
 * https://docs.metamask.io/wallet/concepts/signing-methods/
 */
import { numberToBytesBE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { fail } from './fail.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { isObject } from './json.ts'
import { recoverAddress, sign } from './signature.ts'
import type { ValueNode } from './typed-data.ts'
import { type Atom, parseAtom } from './typed-data-types.ts'
import { parseAtomValue } from './typed-data-values.ts'

/** A checked value. Integers are decimal digits and bytes are DATA, as in EIP-712. */
export type TypedValue = { type: string; name: string; value: string | boolean }

const MAX_VALUES = 128
/** Maximum length of a name in characters. */
const MAX_NAME = 200

const toAtom = (type: unknown, place: string): Atom =>
  (typeof type === 'string' ? parseAtom(type) : undefined) ?? fail(place, type, 'notType')

const parseOne = (item: unknown, place: string, chainId?: number): TypedValue => {
  if (!isObject(item)) return fail(place, item, 'notObject')
  const { type, name, value, ...others } = item
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return fail(place, unknown, 'unsignedMember')
  const atom = toAtom(type, `${place}.type`)
  const label = String(parseAtomValue(name, { kind: 'string' }, `${place}.name`))
  if (label.length > MAX_NAME) return fail(`${place}.name`, label, 'overLimit', { limit: MAX_NAME })
  return { type: String(type), name: label, value: parseAtomValue(value, atom, `${place}.value`, chainId) }
}

/**
 * Parses a list of 1 to 128 values, with names of at most 200 characters. Addresses may be in the EIP-1191 case of the
 * chain `chainId`. Throws a ValueError that names the place: `values[1].value: "x" is not an integer…`.
 */
export const parseTypedValues = (value: unknown, chainId?: number): readonly TypedValue[] => {
  if (!Array.isArray(value) || value.length === 0) return fail('values', value, 'notArray')
  if (value.length > MAX_VALUES) return fail('values', value.length, 'overLimit', { limit: MAX_VALUES })
  return Array.from(value, (item: unknown, at) => parseOne(item, `values[${at}]`, chainId))
}

const pack = ({ type, value }: TypedValue): Uint8Array => {
  const atom = toAtom(type, 'type')
  switch (atom.kind) {
    case 'string':
      return utf8ToBytes(String(value))
    case 'bool':
      return Uint8Array.of(value === true ? 1 : 0)
    case 'uint':
    case 'int':
      return numberToBytesBE(BigInt.asUintN(atom.size, BigInt(value)), atom.size / 8)
    default:
      return decodeData(value)
  }
}

/**
 * Returns the hash to sign, 32 bytes: keccak256 of the hash of the types and names and the hash of the packed values.
 */
export const hashTypedValues = (values: readonly TypedValue[]): Hex => {
  const schema = keccak_256(concatBytes(...values.map(({ type, name }) => utf8ToBytes(`${type} ${name}`))))
  return encodeData(keccak_256(concatBytes(schema, keccak_256(concatBytes(...values.map(pack))))))
}

/** Signs a list of values with a private key of 32 bytes. Returns r ‖ s ‖ v, 65 bytes. Throws ValueError. */
export const signTypedValues = (values: readonly TypedValue[], privateKey: Uint8Array): Hex =>
  sign(hashTypedValues(values), privateKey)

/** Recovers the account that signed. Throws ValueError for an invalid signature. */
export const recoverTypedValues = (values: readonly TypedValue[], signature: unknown): Address =>
  recoverAddress(hashTypedValues(values), signature)

/** Returns all hashed values in hashing order, for display. */
export const describeTypedValues = (values: readonly TypedValue[]): readonly ValueNode[] =>
  values.map(({ name, type, value }) => ({ name, type, value: String(value) }))
