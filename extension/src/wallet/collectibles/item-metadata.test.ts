import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ATTRIBUTES, parseMetadata, withItemId } from './item-metadata.ts'

const parse = (value: unknown) => parseMetadata(new TextEncoder().encode(JSON.stringify(value)))
const NOTHING = { name: null, description: null, image: null, attributes: [] }

test('the id in a URI is 64 lower-case hex digits', () => {
  expect(withItemId('https://site.example/{id}.json', '314592')).toBe(
    'https://site.example/000000000000000000000000000000000000000000000000000000000004cce0.json',
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), id => {
      const [, first = '', second] = /^(.*)\/(.*)$/.exec(withItemId('{id}/{id}', String(id))) ?? []
      expect(first).toMatch(/^[0-9a-f]{64}$/)
      expect(second).toBe(first)
      expect(BigInt(`0x${first}`)).toBe(id)
    }),
  )
  expect(withItemId('ipfs://x/1', '1')).toBe('ipfs://x/1')
})

test('the parts of metadata are read', () => {
  const attributes = [
    { trait_type: 'Fur', value: 'red' },
    { trait_type: 'Age', value: 3 },
  ]
  expect(parse({ name: ' Cat ', description: 'A cat', image: 'ipfs://x', attributes })).toEqual({
    name: 'Cat',
    description: 'A cat',
    image: 'ipfs://x',
    attributes: [
      { name: 'Fur', value: 'red' },
      { name: 'Age', value: '3' },
    ],
  })
})

test('malformed members are left out', () => {
  expect(parse({})).toEqual(NOTHING)
  expect(parse({ name: {}, description: ' ', image: 7, attributes: { a: 1 } })).toEqual(NOTHING)
  expect(parse({ name: 7, attributes: [1, null, { value: 'x' }, { trait_type: 'a', value: {} }] })).toEqual({
    ...NOTHING,
    name: '7',
  })
})

test('every member is limited in length or number', () => {
  const long = 'x'.repeat(10_000)
  const attributes = Array.from({ length: 100 }, () => ({ trait_type: long, value: long }))
  const metadata = parse({ name: long, description: long, attributes })
  expect(metadata?.name).toHaveLength(128)
  expect(metadata?.description).toHaveLength(1_000)
  expect(metadata?.attributes).toHaveLength(MAX_ATTRIBUTES)
  expect(metadata?.attributes[0]).toEqual({ name: 'x'.repeat(64), value: 'x'.repeat(64) })
})

test('anything but a JSON object is refused', () => {
  for (const text of ['', '<html>', '[1', '7', 'null', '['.repeat(1_000_000)])
    expect(parseMetadata(new TextEncoder().encode(text))).toBeNull()
  expect(parseMetadata(Uint8Array.of(0xff, 0xfe))).toBeNull()
})
