import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUtf8, isWellFormed } from './text.ts'

test('an unpaired surrogate is not well-formed', () => {
  for (const text of ['\ud83d', '\ude00', 'a\ud83d😀', '\ude00\ud83d']) expect(isWellFormed(text)).toBe(false)
})

test('well-formed text round-trips through UTF-8, including a byte order mark', () => {
  expect(fromUtf8(utf8ToBytes('\ufeffa'))).toBe('\ufeffa')
  const text = fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units))
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), text => {
      expect(fromUtf8(utf8ToBytes(text)) === text).toBe(isWellFormed(text))
    }),
  )
})

test.each([[[0xff]], [[0xc3]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xf4, 0x90, 0x80, 0x80]]])(
  '%j is no UTF-8',
  raw => {
    expect(() => fromUtf8(Uint8Array.from(raw))).toThrow(TypeError)
  },
)
