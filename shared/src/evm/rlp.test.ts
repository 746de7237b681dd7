import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts'
import { ValueError } from './value-error.ts'

const MAX_DEPTH = 64

/** Header of a list with `length` bytes of payload, computed independently of the code under test. */
const listHeader = (length: number): number[] => {
  if (length < 56) return [0xc0 + length]
  return length < 256 ? [0xf8, length] : [0xf9, length >> 8, length & 255]
}

const nested = (depth: number): Uint8Array => {
  let bytes: number[] = [0xc0]
  for (let i = 1; i < depth; i++) bytes = [...listHeader(bytes.length), ...bytes]
  return Uint8Array.from(bytes)
}

const { item } = fc.letrec<{ item: RlpItem }>(tie => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.uint8Array({ maxLength: 80 }),
    fc.array(tie('item'), { maxLength: 70 }),
  ),
}))

test('items round-trip', () => {
  fc.assert(
    fc.property(item, value => {
      expect(decodeRlp(encodeRlp(value))).toEqual(value)
    }),
  )
})

test('decoded bytes encode to the same bytes', () => {
  let decoded = 0
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), bytes => {
      let value: RlpItem
      try {
        value = decodeRlp(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError)
        return
      }
      decoded++
      expect(encodeRlp(value)).toEqual(bytes)
    }),
    { numRuns: 2000 },
  )
  expect(decoded).toBeGreaterThan(0)
})

test('accepts lists nested up to the limit', () => {
  const bytes = nested(MAX_DEPTH)
  expect(encodeRlp(decodeRlp(bytes))).toEqual(bytes)
})

test.each([MAX_DEPTH + 1, 5000])('refuses %i nested lists', depth => {
  expect(() => decodeRlp(nested(depth))).toThrow(`is nested deeper than ${MAX_DEPTH} levels`)
  let value: RlpItem = []
  for (let i = 1; i < depth; i++) value = [value]
  expect(() => encodeRlp(value)).toThrow(`is nested deeper than ${MAX_DEPTH} levels`)
})

test('a list may have very many elements', () => {
  const many = Array.from({ length: 200_000 }, () => Uint8Array.of(1))
  expect(decodeRlp(encodeRlp(many))).toHaveLength(many.length)
})

test('an error names the item and the byte', () => {
  const bytes = Uint8Array.from([0xc5, 0x01, 0xc3, 0x02, 0x81, 0x03])
  expect(() => decodeRlp(bytes, 'transaction')).toThrow(
    expect.objectContaining({
      message: 'transaction[1][1]: "0x8103" at byte 4 adds a prefix to a byte that needs none',
    }),
  )
})
