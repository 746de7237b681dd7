/** Generates calls of the functions that the wallet decodes, and encodes them with ethers. */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import type { CallArgument } from '@heliograph/shared/evm/calldata'
import { functions } from '@heliograph/shared/evm/functions'
import { encodeData, type Hex } from '@heliograph/shared/evm/hex'
import { AbiCoder } from 'ethers'
import fc from 'fast-check'

type Parameter = AbiFunction['parameters'][number]
type Addresses = fc.Arbitrary<string>

/** A value as ethers takes it, and its decoded form. */
export type Pair = { given: unknown; decoded: CallArgument['value'] }

const same = (decoded: string): Pair => ({ given: decoded, decoded })
export const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(encodeData)

const arbitrary = (type: Parameter['type'], addresses: Addresses): fc.Arbitrary<Pair> => {
  switch (type.kind) {
    case 'bool':
      return fc.boolean().map(value => ({ given: value, decoded: String(value) }))
    case 'address':
      return addresses.map(same)
    case 'string':
      return fc.string({ unit: 'grapheme' }).map(same)
    case 'bytes':
      return fc.uint8Array({ maxLength: 70 }).map(value => same(encodeData(value)))
    case 'bytesN':
      return bytes(type.size).map(same)
    case 'uint':
      return fc.bigInt(0n, 2n ** BigInt(type.size) - 1n).map(value => same(String(value)))
    case 'int':
      return fc
        .bigInt(-(2n ** BigInt(type.size - 1)), 2n ** BigInt(type.size - 1) - 1n)
        .map(value => same(String(value)))
    case 'tuple':
      return argumentsOf(type.fields, addresses)
    case 'array': {
      const { element, length, text } = type
      const size = length === undefined ? { maxLength: 3 } : { minLength: length, maxLength: length }
      return fc
        .array(arbitrary(element, addresses), size)
        .map(items => join(items.map((item, i) => ({ ...item, name: `[${i}]`, text }))))
    }
  }
}

const join = (items: readonly (Pair & { name: string; text: string })[]): Pair => ({
  given: items.map(item => item.given),
  decoded: items.map(({ name, text, decoded }) => ({ name, type: text, value: decoded })),
})

/** Generates arguments with these addresses. Lists of one call have independent lengths. */
export const argumentsOf = (parameters: readonly Parameter[], addresses: Addresses): fc.Arbitrary<Pair> =>
  fc
    .tuple(
      ...parameters.map(({ name, text, type }) => arbitrary(type, addresses).map(pair => ({ ...pair, name, text }))),
    )
    .map(join)

export const knownFunctions = functions.map(line => parseFunction(line))

/** Encodes a call. */
export const encode = ({ selector, parameters }: AbiFunction, given: unknown): Hex => {
  const types = parameters.map(({ text }) => text.replaceAll('(', 'tuple('))
  return `${selector}${AbiCoder.defaultAbiCoder()
    .encode(types, given as unknown[])
    .slice(2)}`
}
