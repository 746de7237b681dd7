import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { toAddress } from '../evm/address.ts'
import { encodeQuantity, type Hex } from '../evm/hex.ts'
import { ignoredFields, ignoredInCall, siteCall, siteTransaction } from './site-transaction.ts'

const from = toAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
const to = toAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const parse = (given: object) => v.parse(siteTransaction, { from, to, ...given })

test.each<[string, object, object]>([
  ['leading zeros', { value: '0x00', gas: '0x05208', nonce: '0x0001' }, { value: '0x0', gas: '0x5208', nonce: '0x1' }],
  ['one ether as in old documentation', { value: '0x0de0b6b3a7640000' }, { value: '0xde0b6b3a7640000' }],
  ['bare 0x as zero', { value: '0x', nonce: '0x' }, { value: '0x0', nonce: '0x0' }],
  [
    'gas price, chain id and type',
    { gasPrice: '0x0A', chainId: '0x01', type: '0x00' },
    { gasPrice: '0xa', chainId: '0x1', type: '0x0' },
  ],
  [
    'EIP-1559 fees',
    { maxFeePerGas: '0x02', maxPriorityFeePerGas: '0x01' },
    { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
  ],
  ['gasLimit', { gasLimit: '0x05208' }, { gas: '0x5208' }],
  ['gas and gasLimit that differ in leading zeros', { gas: '0x5208', gasLimit: '0x05208' }, { gas: '0x5208' }],
  ['empty data beside input', { data: '0x', input: '0x12' }, { data: '0x12' }],
  ['empty input beside data', { data: '0x12', input: '' }, { data: '0x12' }],
  ['an empty text for data', { data: '' }, { data: '0x' }],
  ['an empty text and 0x', { data: '', input: '0x' }, { data: '0x' }],
  ['fields that are not known', { gaz: '0x1', customData: {}, hash: '0x12', constructor: 1 }, {}],
])('%s: accepted and normalized', (_, given, expected) => {
  expect(parse(given)).toEqual({ from, to, ...expected })
})

test.each(['', '0x', null, undefined])('data with a to of %j creates a contract', to => {
  expect(parse({ to, data: '0x6000' })).toEqual({ from, data: '0x6000' })
  expect(() => parse({ to, value: '0x1' })).toThrow('transaction.to')
})

test('a number with millions of zeros is refused quickly', () => {
  expect(parse({ value: `0x${'0'.repeat(4_000_000)}7` })).toMatchObject({ value: '0x7' })
  expect(() => parse({ value: `0x${'0'.repeat(4_000_000)}g` })).toThrow()
})

test('reports unknown names that have a value', () => {
  expect(ignoredFields({ from, to, gaz: '0x1', speed: 'fast', r: null, blobs: undefined })).toEqual(['gaz', 'speed'])
  expect(ignoredFields({ from, to, gasLimit: '0x1', input: '0x', accessList: [] })).toEqual([])
  expect(ignoredInCall({ to, gas: '0x1', input: '0x' })).toEqual(['gas'])
  for (const value of [null, 'text', 7, []]) expect(ignoredFields(value)).toEqual([])
})

test('a call of a batch accepts the same spellings', () => {
  const call = (given: object) => v.parse(siteCall, given)
  expect(call({ to, value: '0x00', data: '', input: '0x12', gas: '0x1' })).toEqual({ to, value: '0x0', data: '0x12' })
  expect(call({ to: '', data: '0x6000' })).toEqual({ data: '0x6000' })
  expect(() => call({ to, data: '0x12', input: '0x13' })).toThrow('contradict')
})

const hexDigits = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(all => Buffer.from(all).toString('hex'))
const quantity = fc.bigInt({ min: 0n, max: (1n << 64n) - 2n })
const padded = fc.tuple(quantity, fc.nat(70)).map(([value, zeros]) => ({
  meant: encodeQuantity(value),
  written: `0x${'0'.repeat(zeros)}${value === 0n ? '' : value.toString(16)}`,
}))
const bytes = fc.nat(40).chain(hexDigits)

test('normalizing is idempotent and gives one form for all spellings', () => {
  const given = fc.record({
    numbers: fc.record({ value: padded, gas: padded, nonce: padded, gasPrice: padded }),
    data: bytes,
    spelling: fc.constantFrom('data', 'input', 'both', 'empty data', 'empty input'),
    extra: fc.dictionary(
      fc.string({ minLength: 1 }).map(name => `x${name}`),
      fc.jsonValue(),
    ),
  })
  fc.assert(
    fc.property(given, ({ numbers, data, spelling, extra }) => {
      const hex: Hex = `0x${data}`
      const fields = {
        data: { data: hex },
        input: { input: hex },
        both: { data: hex, input: hex.toUpperCase().replace('0X', '0x') },
        'empty data': { data: '', input: hex },
        'empty input': { data: hex, input: '0x' },
      }[spelling]
      const written = Object.fromEntries(Object.entries(numbers).map(([name, { written }]) => [name, written]))
      const meant = Object.fromEntries(Object.entries(numbers).map(([name, { meant }]) => [name, meant]))
      const parsed = parse({ ...extra, ...written, ...fields })
      expect({ ...parsed, data: parsed.data?.toLowerCase() }).toEqual({ from, to, ...meant, data: hex })
      expect(v.parse(siteTransaction, parsed)).toEqual(parsed)
    }),
    { numRuns: 300 },
  )
})
