import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFunction } from './abi.ts'
import { decodeArguments } from './abi-decode.ts'
import { encodeBytesArguments } from './abi-encode.ts'
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
