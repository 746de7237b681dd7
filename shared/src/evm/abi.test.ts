import { expect, test } from 'vitest'
import { decodeArguments, parseFunction } from './abi.ts'
import { toBytes, ValueError } from './hex.ts'

const decode = (type: string, data: string) => {
  const [argument] = decodeArguments(parseFunction(`f(${type} x)`).parameters, toBytes(data))
  return argument?.value
}

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const text = (length: number, bytes: string) => `0x${word(32n)}${word(BigInt(length))}${bytes.padEnd(64, '0')}`

test('signature and selector of a function', () => {
  const { name, signature, selector } = parseFunction('f((int8 a, bytes b)[] list, ((bool c) d, string e) pair)')
  expect({ name, signature, selector }).toEqual({
    name: 'f',
    signature: 'f((int8,bytes)[],((bool),string))',
    selector: '0x1a4d3116',
  })
})

test.each([
  ['f', 'abi: "f" is not a function: name(type name, …)'],
  ['f(uint256)', 'abi: "uint256" is not a type and a name'],
  ['f(uint x)', 'abi: "uint" is not a type'],
  ['f(uint7 x)', 'abi: "uint7" is not a type'],
  ['f(bytes33 x)', 'abi: "bytes33" is not a type'],
  ['f(uint8[0] x)', 'abi: "uint8[0]" is not a type'],
  ['f(uint8[1000000000] x)', 'abi: "uint8[1000000000]" is not a type'],
  ['f(() x)', 'abi: "()" is not a type'],
])('%s is not a function that can be decoded', (line, error) => {
  expect(() => parseFunction(line)).toThrow(new ValueError(error))
})

test.each([
  ['int8', `0x${word(-128n)}`, '-128'],
  ['int256', `0x${word(-1n)}`, '-1'],
  ['bytes4', `0x01020304${'00'.repeat(28)}`, '0x01020304'],
  ['bytes', text(0, '').slice(0, 130), '0x'],
  ['string', text(5, '68c3a96c6f'), 'hélo'],
  ['string', text(3, 'efbbbf'), '\uFEFF'],
])('%s from %s', (type, data, value) => {
  expect(decode(type, data)).toBe(value)
})

test.each([
  ['int8', `0x${word(128n)}`, 'x: 128 does not fit int8'],
  ['int8', `0x${word(-129n)}`, 'x: -129 does not fit int8'],
  ['bytes4', `0x0102030405${'00'.repeat(27)}`, `x: "0x0102030405${'00'.repeat(27)}" is longer than bytes4`],
  ['string', text(1, 'ff'), 'x: "0xff" is not UTF-8'],
])('%s is not from %s', (type, data, error) => {
  expect(() => decode(type, data)).toThrow(new ValueError(error))
})

test('arrays of a fixed length stand as their elements, and behind an offset where these are dynamic', () => {
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

test('more elements than there are bytes for are refused, however many a type names', () => {
  expect(() => decode('uint8[999999999]', `0x${word(1n)}`)).toThrow('x: "0x')
  expect(() => decode('uint8[999999999][999999999]', `0x${word(1n)}`)).toThrow(ValueError)
})
