/** Encodes arguments of contract calls: https://docs.soliditylang.org/en/latest/abi-spec.html */
import { numberToBytesBE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'

const WORD = 32

const word = (value: number): Uint8Array => numberToBytesBE(value, WORD)

/** Encodes the length, then the bytes padded with zeros to whole words. */
const tailOf = (bytes: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD)
  padded.set(bytes)
  return concatBytes(word(bytes.length), padded)
}

/** Encodes arguments that are all of type `bytes`. */
export const encodeBytesArguments = (...values: readonly Uint8Array[]): Uint8Array => {
  const tails = values.map(tailOf)
  const heads = tails.map((_, at) =>
    word(tails.slice(0, at).reduce((sum, tail) => sum + tail.length, values.length * WORD)),
  )
  return concatBytes(...heads, ...tails)
}
