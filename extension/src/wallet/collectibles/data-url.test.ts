import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeDataUrl, encodeDataUrl } from './data-url.ts'

const MOST = 1_000
const text = (url: string, most = MOST) => {
  const bytes = decodeDataUrl(url, most)
  return bytes && new TextDecoder().decode(bytes)
}

test('encoded bytes decode to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: MOST }), bytes => {
      expect(decodeDataUrl(encodeDataUrl('image/png', bytes), MOST)).toEqual(new Uint8Array(bytes))
    }),
  )
})

test('percent-encoded text is decoded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), value => {
      expect(text(`data:application/json,${encodeURIComponent(value)}`)).toBe(value)
    }),
  )
})

test.each([
  ['data:,', ''],
  ['DATA:text/plain;charset=utf-8,a%20b', 'a b'],
  ['data:application/json;base64,e30=', '{}'],
  ['data:application/json;BASE64 ,e30%3D', '{}'],
  ['data:application/json;utf8,{"name":"Cat #1, 100%"}', '{"name":"Cat #1, 100%"}'],
])('%s is %s', (url, content) => {
  expect(text(url)).toBe(content)
})

test.each(['data:text/plain', 'data:;base64,***', 'https://site.example/', '', `data:${'x'.repeat(500)},a`])(
  '%s is refused',
  url => {
    expect(decodeDataUrl(url, MOST)).toBeNull()
  },
)

test('content over the limit is refused in either encoding', () => {
  expect(text(`data:,${'x'.repeat(MOST)}`)).toHaveLength(MOST)
  expect(text(`data:,${'x'.repeat(MOST + 1)}`)).toBeNull()
  expect(text(`data:,${'x'.repeat(MOST * 4)}`)).toBeNull()
  expect(decodeDataUrl(encodeDataUrl('a/b', new Uint8Array(MOST + 1)), MOST)).toBeNull()
})
