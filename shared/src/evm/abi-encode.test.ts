import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFunction } from './abi.ts'
import { decodeArguments } from './abi-decode.ts'
import { encodeBytes } from './abi-encode.ts'
import { fromBytes } from './hex.ts'

const { parameters } = parseFunction('two(bytes one, bytes other)')

test('arguments of bytes are written as by ethers, and read back', () => {
  const bytes = fc.uint8Array({ maxLength: 100 })
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const written = encodeBytes(one, other)
      expect(fromBytes(written)).toBe(AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [one, other]))
      expect(decodeArguments(parameters, written).map(({ value }) => value)).toEqual([fromBytes(one), fromBytes(other)])
    }),
  )
})
