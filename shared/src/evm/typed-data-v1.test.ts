import { concat, keccak256, solidityPackedKeccak256, toUtf8Bytes } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOfPrivateKey } from './signature.ts'
import {
  describeTypedValues,
  hashTypedValues,
  parseTypedValues,
  recoverTypedValues,
  signTypedValues,
} from './typed-data-v1.ts'

const key = new Uint8Array(32).fill(7)
const toHex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

type Item = { type: string; name: string; value: unknown }

/** The hash, computed with ethers' packing. */
const hashOfEthers = (items: readonly Item[]) => {
  const schema = keccak256(concat(items.map(({ type, name }) => toUtf8Bytes(`${type} ${name}`))))
  const values = solidityPackedKeccak256(
    items.map(({ type }) => type),
    items.map(({ value }) => value),
  )
  return keccak256(concat([schema, values]))
}

test('hashes known messages as old sites verify them', () => {
  const items = [
    { type: 'string', name: 'Message', value: 'Hi, Alice!' },
    { type: 'uint32', name: 'A number', value: '1337' },
  ]
  const values = parseTypedValues(items)
  expect(hashTypedValues(values)).toBe(hashOfEthers(items))
  expect(describeTypedValues(values)).toEqual([
    { name: 'Message', type: 'string', value: 'Hi, Alice!' },
    { name: 'A number', type: 'uint32', value: '1337' },
  ])
  expect(recoverTypedValues(values, signTypedValues(values, key))).toBe(addressOfPrivateKey(key))
})

const bits = fc.integer({ min: 1, max: 32 }).map(bytes => 8 * bytes)
const hexOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex)
const item = fc.oneof(
  fc.record({ type: fc.constant('string'), value: fc.string({ unit: 'grapheme' }) }),
  fc.record({ type: fc.constant('bool'), value: fc.boolean() }),
  fc.record({ type: fc.constant('bytes'), value: fc.uint8Array().map(toHex) }),
  fc.record({ type: fc.constant('address'), value: hexOf(20) }),
  fc.integer({ min: 1, max: 32 }).chain(size => fc.record({ type: fc.constant(`bytes${size}`), value: hexOf(size) })),
  bits.chain(size =>
    fc.record({ type: fc.constant(`uint${size}`), value: fc.bigInt({ min: 0n, max: 2n ** BigInt(size) - 1n }) }),
  ),
  bits.chain(size => {
    const limit = 2n ** BigInt(size - 1)
    return fc.record({ type: fc.constant(`int${size}`), value: fc.bigInt({ min: -limit, max: limit - 1n }) })
  }),
)
const items = fc.array(
  fc.tuple(item, fc.string({ maxLength: 20 })).map(([each, name]) => ({ ...each, name })),
  { minLength: 1, maxLength: 8 },
)

test('hashes any list of values as ethers does', () => {
  fc.assert(
    fc.property(items, list => {
      const asJson = list.map(each => (typeof each.value === 'bigint' ? { ...each, value: String(each.value) } : each))
      expect(hashTypedValues(parseTypedValues(asJson))).toBe(hashOfEthers(list))
    }),
  )
})

const text = (value: unknown) => ({ type: 'string', name: 'a', value })

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'values: '],
  ['an empty list', [], 'values: '],
  ['an object', { 0: text('a') }, 'values: '],
  ['an element that is no object', ['text'], 'values[0]: '],
  ['a null element', [null], 'values[0]: '],
  ['no type', [{ name: 'a', value: 'b' }], 'values[0].type: '],
  ['an alias', [{ type: 'uint', name: 'a', value: '1' }], 'values[0].type: '],
  ['an array', [{ type: 'uint8[]', name: 'a', value: ['1'] }], 'values[0].type: '],
  ['a struct', [{ type: 'Person', name: 'a', value: {} }], 'values[0].type: '],
  ['an unknown size', [{ type: 'uint7', name: 'a', value: '1' }], 'values[0].type: '],
  ['no name', [{ type: 'string', value: 'b' }], 'values[0].name: '],
  ['a name too long', [{ ...text('a'), name: 'n'.repeat(201) }], 'values[0].name: '],
  ['no value', [{ type: 'string', name: 'a' }], 'values[0].value: '],
  ['a number for a text', [text(1)], 'values[0].value: '],
  ['an unpaired surrogate', [text('\ud800')], 'values[0].value: '],
  ['a number that does not fit', [text('a'), { type: 'uint8', name: 'a', value: '256' }], 'values[1].value: '],
  ['a negative number', [{ type: 'uint8', name: 'a', value: '-1' }], 'values[0].value: '],
  ['a text for a bool', [{ type: 'bool', name: 'a', value: 'false' }], 'values[0].value: '],
  ['bytes of another length', [{ type: 'bytes4', name: 'a', value: '0x12' }], 'values[0].value: '],
  ['an odd number of digits', [{ type: 'bytes', name: 'a', value: '0x1' }], 'values[0].value: '],
  ['a wrong checksum', [{ type: 'address', name: 'a', value: `0x${'aB'.repeat(20)}` }], 'values[0].value: '],
  ['a member that is not signed', [{ ...text('a'), more: 1 }], 'values[0]: '],
  ['too many values', Array(129).fill(text('a')), 'values: '],
])('%s is refused with an error that names the place', (_, value, place) => {
  expect(() => parseTypedValues(value)).toThrow(expect.objectContaining({ name: 'ValueError' }))
  expect(() => parseTypedValues(value)).toThrow(place)
})
