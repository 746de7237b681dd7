import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ValueError } from './hex.ts'
import { decode, encode, MAX_DEPTH, type RlpItem } from './rlp.ts'

/** The header of a list whose payload has `length` bytes, written apart from the code under test. */
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

test('items survive the way through bytes', () => {
  fc.assert(
    fc.property(item, value => {
      expect(decode(encode(value))).toEqual(value)
    }),
  )
})

test('bytes that decode encode to themselves', () => {
  let decoded = 0
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), bytes => {
      let value: RlpItem
      try {
        value = decode(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError)
        return
      }
      decoded++
      expect(encode(value)).toEqual(bytes)
    }),
    { numRuns: 2000 },
  )
  expect(decoded).toBeGreaterThan(0)
})

test('lists may lie within each other as deep as the bound', () => {
  const bytes = nested(MAX_DEPTH)
  expect(encode(decode(bytes))).toEqual(bytes)
})

test.each([MAX_DEPTH + 1, 5000])('%i lists within each other are refused', depth => {
  expect(() => decode(nested(depth))).toThrow(`is nested deeper than ${MAX_DEPTH} lists`)
  let value: RlpItem = []
  for (let i = 1; i < depth; i++) value = [value]
  expect(() => encode(value)).toThrow(`is nested deeper than ${MAX_DEPTH} lists`)
})

test('a list may have very many elements', () => {
  const many = Array.from({ length: 200_000 }, () => Uint8Array.of(1))
  expect(decode(encode(many))).toHaveLength(many.length)
})

test('an error names the item and the byte', () => {
  const bytes = Uint8Array.from([0xc5, 0x01, 0xc3, 0x02, 0x81, 0x03])
  expect(() => decode(bytes, 'transaction')).toThrow(
    new ValueError('transaction[1][1]: "0x8103" at byte 4 puts a prefix before a byte that needs none'),
  )
})
