/**
 * Every function of the table, with arbitrary arguments: calldata that ethers encodes is decoded, and all other data is
 * unusual.
 */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import { toAddress } from '@heliograph/shared/evm/address'
import { type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import { functions } from '@heliograph/shared/evm/functions'
import { encodeData, type Hex } from '@heliograph/shared/evm/hex'
import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'

type Parameter = AbiFunction['parameters'][number]
/** A value as ethers takes it, and its decoded form. */
type Pair = { given: unknown; decoded: CallArgument['value'] }

const same = (decoded: string): Pair => ({ given: decoded, decoded })
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(encodeData)

const arbitrary = (type: Parameter['type']): fc.Arbitrary<Pair> => {
  switch (type.kind) {
    case 'bool':
      return fc.boolean().map(value => ({ given: value, decoded: String(value) }))
    case 'address':
      return bytes(20).map(value => same(toAddress(value)))
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
      return listOf(type.fields)
    case 'array': {
      const { element, length, text } = type
      const size = length === undefined ? { maxLength: 3 } : { minLength: length, maxLength: length }
      return fc
        .array(arbitrary(element), size)
        .map(items => join(items.map((item, i) => ({ ...item, name: `[${i}]`, text }))))
    }
  }
}

const join = (items: readonly (Pair & { name: string; text: string })[]): Pair => ({
  given: items.map(item => item.given),
  decoded: items.map(({ name, text, decoded }) => ({ name, type: text, value: decoded })),
})

const listOf = (parameters: readonly Parameter[]): fc.Arbitrary<Pair> =>
  fc
    .tuple(...parameters.map(({ name, text, type }) => arbitrary(type).map(pair => ({ ...pair, name, text }))))
    .map(join)

const known = functions.map(line => parseFunction(line))

const encode = ({ selector, parameters }: AbiFunction, given: unknown): Hex => {
  const types = parameters.map(({ text }) => text.replaceAll('(', 'tuple('))
  return `${selector}${AbiCoder.defaultAbiCoder()
    .encode(types, given as unknown[])
    .slice(2)}`
}

test.each(known)('$signature', called => {
  const { name, signature } = called
  fc.assert(
    fc.property(listOf(called.parameters), ({ given, decoded }) => {
      const data = encode(called, given)
      expect(decodeCall(data)).toEqual({ kind: 'call', name, signature, args: decoded })
      expect(decodeCall(`${data}00`)).toEqual({ kind: 'call', name, signature, args: decoded, unusual: true })
      const short = decodeCall(`0x${data.slice(2, -2)}`)
      if (data.length === 10) expect(short).toBeUndefined()
      else
        expect(short?.kind === 'call' ? short.unusual : short?.kind).toBe(short?.kind === 'call' ? true : 'malformed')
    }),
    { numRuns: fuzzCases('callsOfEachFunction') },
  )
})

test('bytes are unusual exactly if the arguments encode to different bytes', () => {
  const toGiven = (value: CallArgument['value']): unknown =>
    typeof value === 'string'
      ? value === 'true'
        ? true
        : value === 'false'
          ? false
          : value
      : value.map(part => toGiven(part.value))
  const word = fc.oneof(
    fc.nat(300).map(value => value.toString(16).padStart(64, '0')),
    fc.nat(10).map(value => (32 * value).toString(16).padStart(64, '0')),
    bytes(32).map(value => value.slice(2)),
  )
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.array(word, { maxLength: 12 }), (called, words) => {
      const data: Hex = `${called.selector}${words.join('')}`
      const call = decodeCall(data)
      if (call?.kind === 'call') {
        const given = call.args.map(({ value }) => toGiven(value))
        expect(encode(called, given) === data).toBe(!call.unusual)
      } else expect(call?.kind).toBe('malformed')
    }),
    { numRuns: fuzzCases('calldata') },
  )
})
