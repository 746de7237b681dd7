/** Encodes arguments of contract calls: https://docs.soliditylang.org/en/latest/abi-spec.html */
import { numberToBytesBE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'
import type { Address } from './address.ts'
import { decodeData, type Hex } from './hex.ts'

const WORD = 32

const word = (value: number | bigint): Uint8Array => numberToBytesBE(value, WORD)

/** Encodes the length, then the bytes padded with zeros to whole words. */
const tailOf = (bytes: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD)
  padded.set(bytes)
  return concatBytes(word(bytes.length), padded)
}

/** Joins the encodings of dynamic values, preceded by the offset of each. */
const withOffsets = (tails: readonly Uint8Array[]): Uint8Array => {
  const heads = tails.map((_, at) =>
    word(tails.slice(0, at).reduce((sum, tail) => sum + tail.length, tails.length * WORD)),
  )
  return concatBytes(...heads, ...tails)
}

/** Encodes arguments that are all of type `bytes`. */
export const encodeBytesArguments = (...values: readonly Uint8Array[]): Uint8Array => withOffsets(values.map(tailOf))

/** A call that a contract makes. `value` is in wei, below 2^256. */
export type TargetCall = { target: Address; value: bigint; data: Hex }

const FIELDS = 3

/** Encodes one argument of the type `(address target, uint256 value, bytes data)[]`. */
export const encodeCallsArgument = (calls: readonly TargetCall[]): Uint8Array => {
  const tuples = calls.map(({ target, value, data }) =>
    concatBytes(word(BigInt(target)), word(value), word(FIELDS * WORD), tailOf(decodeData(data))),
  )
  return concatBytes(word(WORD), word(calls.length), withOffsets(tuples))
}
