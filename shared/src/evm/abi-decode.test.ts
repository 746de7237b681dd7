import { expect, test } from 'vitest'
import { cpuTimeOf } from '../cpu-time.fixture.ts'
import { parseFunction } from './abi.ts'
import { decodeArguments, MAX_ARGUMENT_WORDS, readArguments } from './abi-decode.ts'
import { decodeData } from './hex.ts'
import { ValueError } from './value-error.ts'

const decode = (type: string, data: string) => {
  const [argument] = decodeArguments(decodeData(data), parseFunction(`f(${type} x)`).parameters)
  return argument?.value
}
const read = (type: string, data: string, start?: number) => {
  const { values, unusual } = readArguments(decodeData(data), parseFunction(`f(${type} x)`).parameters, start)
  return { value: values[0]?.value, unusual: unusual?.message }
}

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const text = (length: number, bytes: string) => `0x${word(32n)}${word(BigInt(length))}${bytes.padEnd(64, '0')}`

test.each([
  ['int8', `0x${word(-128n)}`, '-128'],
  ['int256', `0x${word(-1n)}`, '-1'],
  ['bytes4', `0x01020304${'00'.repeat(28)}`, '0x01020304'],
  ['bytes', text(0, '').slice(0, 130), '0x'],
  ['string', text(5, '68c3a96c6f'), 'hélo'],
  ['string', text(3, 'efbbbf'), '\uFEFF'],
])('decodes %s from %s', (type, data, value) => {
  expect(decode(type, data)).toBe(value)
})

test.each([
  ['int8', `0x${word(128n)}`, 'x: 128 does not fit int8'],
  ['int8', `0x${word(-129n)}`, 'x: -129 does not fit int8'],
  ['bytes4', `0x0102030405${'00'.repeat(27)}`, `x: "0x0102030405${'00'.repeat(27)}" is longer than bytes4`],
  ['string', text(1, 'ff'), 'x: "0xff" is not UTF-8'],
])('does not decode %s from %s', (type, data, error) => {
  expect(() => decode(type, data)).toThrow(expect.objectContaining({ message: error }))
})

test('fixed-length arrays are read in place, or through an offset if their elements are dynamic', () => {
  expect(decode('uint8[2]', `0x${word(1n)}${word(2n)}`)).toMatchObject([
    { name: '[0]', type: 'uint8', value: '1' },
    { name: '[1]', type: 'uint8', value: '2' },
  ])
  expect(decode('uint8[2][]', `0x${word(32n)}${word(1n)}${word(1n)}${word(2n)}`)).toMatchObject([
    { type: 'uint8[2]', value: [{ value: '1' }, { value: '2' }] },
  ])
  const strings = `${word(32n)}${word(32n)}${word(1n)}${'61'.padEnd(64, '0')}`
  expect(decode('string[1]', `0x${strings}`)).toMatchObject([{ value: 'a' }])
  expect(parseFunction('f(uint8[2][] x)').signature).toBe('f(uint8[2][])')
})

test('refuses more elements than the budget has words, even if the type declares them', () => {
  expect(() => decode('uint8[999999999]', `0x${word(1n)}`)).toThrow('words are over the limit')
  expect(() => decode('uint8[999999999][999999999]', `0x${word(1n)}`)).toThrow(ValueError)
})

test('masks words, reads zeros past the end and ignores trailing bytes', () => {
  expect(read('int8', `0x${word(0x1ffn)}`)).toEqual({ value: '-1', unusual: 'x: 511 does not fit int8' })
  expect(read('bytes2', `0x010203${'00'.repeat(29)}`)).toMatchObject({ value: '0x0102' })
  expect(read('bool', `0x${word(2n ** 255n)}`)).toMatchObject({ value: 'true', unusual: expect.any(String) })
  expect(read('uint256', '0x80')).toMatchObject({ value: String(2n ** 255n), unusual: expect.any(String) })
  expect(read('uint256', '0x')).toMatchObject({ value: '0', unusual: expect.any(String) })
  expect(read('uint256', `0x${word(1n)}00`)).toMatchObject({ value: '1', unusual: expect.any(String) })
  expect(read('string', text(1, 'ff'))).toMatchObject({ value: '\uFFFD', unusual: expect.any(String) })
  expect(read('uint256', `0x${word(1n)}`)).toEqual({ value: '1', unusual: undefined })
})

test('follows offsets anywhere in the data, even backwards and before the arguments', () => {
  const bytes = `${word(1n)}${'ab'.padEnd(64, '0')}`
  expect(read('bytes', `0x${word(64n)}${word(0n)}${bytes}`)).toMatchObject({ value: '0xab' })
  // Offsets are relative to the first element: -64 points back to the array's own offset, whose value is 32.
  const backwards = `${word(32n)}${word(1n)}${word(-64n)}`
  expect(read('bytes[]', `0x${backwards}`)).toMatchObject({
    value: [{ value: `0x${word(1n)}` }],
    unusual: expect.any(String),
  })
  const toSelector = `00000000${word(32n)}${word(1n)}${word(-68n)}`
  expect(read('bytes[]', `0x${toSelector}`, 4)).toMatchObject({ value: [{ value: '0x' }], unusual: expect.any(String) })
  expect(() => read('bytes', `0x${word(33n)}`)).toThrow('x: 33 points outside the data')
  expect(() => read('bytes', `0x${word(2n ** 255n)}`)).toThrow('x: 2^255 points outside the data')
})

test('overlapping offsets cost no more than the budget', () => {
  // Every element's offset points back to the array itself.
  const count = 3000
  const data = `0x${word(32n)}${word(BigInt(count))}${word(-32n).repeat(count)}`
  const time = cpuTimeOf(() => {
    for (const type of ['bytes[]', 'bytes[][]', 'uint256[][][]', 'bytes[][][][][]'])
      expect(() => read(type, data), type).toThrow('words are over the limit for one call')
  })
  expect(time).toBeLessThan(10_000)
  expect(() => read('bytes', `0x${word(32n)}${word(BigInt(MAX_ARGUMENT_WORDS) * 32n)}`)).toThrow(
    'words are over the limit',
  )
})
