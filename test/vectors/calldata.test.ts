/**
 * Every function of the table, with arbitrary arguments: calldata that ethers encodes is decoded, and all other data is
 * unusual.
 */
import { toAddress } from '@heliograph/shared/evm/address'
import { type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { argumentsOf, bytes, encode, knownFunctions } from './calldata-arbitrary.ts'

const ADDRESSES = bytes(20).map(value => toAddress(value))

test.each(knownFunctions)('$signature', called => {
  const { name, signature } = called
  fc.assert(
    fc.property(argumentsOf(called.parameters, ADDRESSES), ({ given, decoded }) => {
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
    fc.property(fc.constantFrom(...knownFunctions), fc.array(word, { maxLength: 12 }), (called, words) => {
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
