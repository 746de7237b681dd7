import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fail } from './fail.ts'
import { decodeData, decodeQuantity, encodeData, encodeQuantity, isHex, normalizeQuantity } from './hex.ts'
import { show, ValueError } from './value-error.ts'

test('bytes round-trip through DATA', () => {
  fc.assert(
    fc.property(fc.uint8Array(), bytes => {
      expect(decodeData(encodeData(bytes))).toEqual(bytes)
    }),
  )
})

test('numbers round-trip through QUANTITY', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 256n - 1n), value => {
      expect(decodeQuantity(encodeQuantity(value))).toBe(value)
    }),
  )
})

test.each(['0x', '0x00', '0xAbCd'])('%s is DATA', value => {
  expect(isHex(value)).toBe(true)
})

test.each(['', '00', '0x0', '0X00', '0xgg', ' 0x00', '0x00\n', 0, null, undefined, ['0x00']])(
  '%j is not DATA',
  value => {
    expect(isHex(value)).toBe(false)
    expect(() => decodeData(value, 'params[0]')).toThrow(
      expect.objectContaining({
        message: `params[0]: ${show(value)} is not DATA: 0x and an even number of hex digits`,
      }),
    )
  },
)

test('DATA of a fixed size has that size', () => {
  expect(decodeData('0x0102', 'hash', 2)).toEqual(Uint8Array.of(1, 2))
  expect(() => decodeData('0x0102', 'hash', 3)).toThrow('hash: "0x0102" has 2 bytes, not 3')
})

test.each([
  [0, '0x0'],
  [1024, '0x400'],
  [2n ** 64n, '0x10000000000000000'],
])('%s is the QUANTITY %s', (value, quantity) => {
  expect(encodeQuantity(value)).toBe(quantity)
})

test.each(['', '0x', '0x00', '0x0400', 'ff', '0Xff', '0xfg', '-0x1', '0x-1', '1', 1, 1n, null])(
  '%s is not a QUANTITY',
  value => {
    expect(() => decodeQuantity(value, 'gas')).toThrow(
      expect.objectContaining({
        message: `gas: ${show(value)} is not a QUANTITY: 0x and hex digits without leading zeros`,
      }),
    )
  },
)

test.each([
  ['0x', '0x0'],
  ['0x0', '0x0'],
  ['0x0000', '0x0'],
  ['0x0De0', '0xde0'],
  [`0x${'0'.repeat(100)}${'f'.repeat(64)}`, `0x${'f'.repeat(64)}`],
])('%s is normalized to %s', (written, meant) => {
  expect(normalizeQuantity(written)).toBe(meant)
})

test.each(['', 'ff', '0Xff', '0xfg', '-0x1', '1', 1, 1n, null, ' 0x1', `0x1${'0'.repeat(64)}`])(
  'normalizeQuantity refuses %s',
  value => {
    expect(() => normalizeQuantity(value, 'gas')).toThrow(/^gas: /)
  },
)

test('a QUANTITY fits its width', () => {
  expect(decodeQuantity('0xff', 'v', 8)).toBe(255n)
  expect(() => decodeQuantity('0x100', 'v', 8)).toThrow('v: "0x100" does not fit uint8')
  expect(() => decodeQuantity(encodeQuantity(2n ** 256n))).toThrow('does not fit uint256')
})

test.each<[bigint | number, string]>([
  [-1, 'quantity: -1 is negative'],
  [-1n, 'quantity: -1 is negative'],
  [1.5, 'quantity: 1.5 is not a safe integer'],
  [Number.NaN, 'quantity: NaN is not a safe integer'],
  [Number.POSITIVE_INFINITY, 'quantity: Infinity is not a safe integer'],
  [2 ** 53, 'quantity: 9007199254740992 is not a safe integer'],
])('%s is refused as a QUANTITY', (value, error) => {
  expect(() => encodeQuantity(value)).toThrow(expect.objectContaining({ message: error }))
})

test('a number has the same QUANTITY as its bigint, or is refused', () => {
  fc.assert(
    fc.property(fc.double(), value => {
      const isWhole = Number.isSafeInteger(value) && value >= 0
      if (isWhole) expect(encodeQuantity(value)).toBe(encodeQuantity(BigInt(value)))
      else expect(() => encodeQuantity(value)).toThrow(ValueError)
    }),
  )
  expect(encodeQuantity(-0)).toBe('0x0')
  expect(encodeQuantity(Number.MAX_SAFE_INTEGER)).toBe('0x1fffffffffffff')
})

test.each([
  ['a\nb', '"a\\nb"'],
  [12n, '12'],
  [2n ** 64n, '2^64'],
  [2n ** 64n - 1n, '18446744073709551615'],
  [true, 'true'],
  [null, 'null'],
  [undefined, 'undefined'],
  [[1, 2], 'an array of 2'],
  [new Uint8Array(3), '3 bytes'],
  [{ secret: 1 }, 'a value of type object'],
  [Symbol.iterator, 'a value of type symbol'],
  ['x'.repeat(1000), `"${'x'.repeat(79)}…`],
])('shows %s on one short line', (value, text) => {
  expect(show(value)).toBe(text)
})

test('an error names place, value and rule', () => {
  expect(() => fail('message.orders[3].price', 2n ** 256n, 'outOfRange', { type: 'uint256' })).toThrow(
    expect.objectContaining({ message: 'message.orders[3].price: 2^256 does not fit uint256' }),
  )
})
