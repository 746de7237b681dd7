import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFunction } from './abi.ts'
import { decodeArguments } from './abi-decode.ts'
import { encodeBytesArguments, encodeCallsArgument } from './abi-encode.ts'
import { toAddress } from './address.ts'
import { encodeData } from './hex.ts'

const { parameters } = parseFunction('two(bytes one, bytes other)')

test('bytes arguments are encoded as by ethers, and decoded again', () => {
  const bytes = fc.uint8Array({ maxLength: 100 })
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const written = encodeBytesArguments(one, other)
      expect(encodeData(written)).toBe(AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [one, other]))
      expect(decodeArguments(written, parameters).map(({ value }) => value)).toEqual([
        encodeData(one),
        encodeData(other),
      ])
    }),
  )
})

const TYPE = '(address target, uint256 value, bytes data)[]'
const batch = parseFunction(`batch(${TYPE} calls)`)

test('a list of calls is encoded as by ethers, and decoded again', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(encodeData)
  const call = fc.record({
    target: bytes(20).map(address => toAddress(address)),
    value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    data: fc.uint8Array({ maxLength: 100 }).map(encodeData),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), calls => {
      const written = encodeCallsArgument(calls)
      expect(encodeData(written)).toBe(AbiCoder.defaultAbiCoder().encode([TYPE], [calls]))
      const [list] = decodeArguments(written, batch.parameters)
      const read = (list as { value: readonly { value: readonly { value: unknown }[] }[] }).value.map(one => one.value)
      expect(read.map(fields => fields.map(({ value }) => value))).toEqual(
        calls.map(({ target, value, data }) => [target, String(value), data]),
      )
    }),
  )
})
