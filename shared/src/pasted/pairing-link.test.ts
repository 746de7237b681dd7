import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPairingLink } from './pairing-link.ts'

const TOPIC = 'ab'.repeat(32)
const KEY = 'cd'.repeat(32)
const L = `wc:${TOPIC}@2?expiryTimestamp=1700000300&relay-protocol=irn&symKey=${KEY}`
const V1 = 'wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Fbridge.example&key=41'
const encoded = encodeURIComponent(L)

test.each([
  ['L', L],
  ['L between spaces', `  ${L}\n`],
  ['https://wallet.example/wc?uri= and L unencoded', `https://wallet.example/wc?uri=${L}`],
  ['L with &amp; for &', L.replaceAll('&', '&amp;')],
  ['L with &#38; for &', L.replaceAll('&', '&#38;')],
  ['L with &amp;amp; for &', L.replaceAll('&', '&amp;amp;')],
  ['L in JSON with \\u0026 for &', `{"uri":"${L.replaceAll('&', '\\u0026')}"}`],
  ['L in Markdown', `[pair](${L})`],
  ['L after a # in the URL of a page', `https://wallet.example/#/wc?uri=${encoded}`],
  ['L percent-encoded as a whole', encoded],
  ['L percent-encoded as a whole, in lower case', encoded.replaceAll('%3A', '%3a').replaceAll('%3F', '%3f')],
  ['L percent-encoded twice', encodeURIComponent(encoded)],
  ['https://wallet.example/wc?uri= and L encoded', `https://wallet.example/wc?uri=${encoded}`],
  ['… with more parameters after it', `https://wallet.example/wc?uri=${encoded}&utm=1#top`],
  ['… in HTML', `<a href="https://wallet.example/wc?a=1&amp;uri=${encoded}&amp;b=2">`],
  ['a deep link', `anyapp://wc?uri=${encoded}`],
  ['L with an encoded query', `wc:${TOPIC}@2${encodeURIComponent(L.slice(L.indexOf('?')))}`],
  ['L in a sentence', `Scan this:\n${L}, then press OK.`],
  ['L in quotes', `"${L}"`],
  ['L in typographic quotes', `“${L}”`],
  ['L in brackets', `(${L}).`],
  ['L in HTML', `<a href="${L.replaceAll('&', '&amp;')}">pair</a>`],
  [
    'L with line breaks inside',
    L.replace('relay-', 'relay-\r\n').replace(KEY, `${KEY.slice(0, 30)}\n ${KEY.slice(30)}`),
  ],
  ['L with zero-width characters', L.replace('@2', '\u200b@2\u2060')],
  [
    'a deep link in the URL of a page',
    `https://go.example/?link=${encodeURIComponent(`anyapp://wc?uri=${encoded}&a=1`)}&z=1`,
  ],
  ['a deep link with L unencoded', `anyapp://wc?uri=${L}`],
  ['L in an intent', `intent:${L}#Intent;package=app;end`],
  ['L in Japanese quotes', `「${L}」。`],
  ['L in Markdown, in bold', `**${L}**`],
  ['L in square and curly brackets', `{[${L}]}`],
  ['L in a sentence that is cut off', `${L}…`],
  ['L with &amp; for &, encoded', encodeURIComponent(L.replaceAll('&', '&amp;'))],
  ['L with %26 for &', L.replaceAll('&', '%26')],
  ['L with %3D for =', L.replaceAll('=', '%3D')],
  ['L with %40 for @', L.replace('@', '%40')],
  ['L with %3F for ?', L.replace('?', '%3F')],
  ['L with an encoded query after ?', `wc:${TOPIC}@2?${encodeURIComponent(L.slice(L.indexOf('?') + 1))}`],
  ['L with WC: in upper case', L.replace('wc:', 'WC:')],
])('%s is found', (_, pasted) => {
  expect(findPairingLink(pasted)).toBe(L)
})

test('lists of methods stay whole', () => {
  const link = `${L}&methods=[wc_sessionPropose],[wc_sessionPing]`
  for (const pasted of [link, `(${link})`, `${link}.`, encodeURIComponent(link)])
    expect(findPairingLink(pasted)).toBe(link)
})

test('the parts of a link of version 1 stay encoded', () => {
  for (const pasted of [V1, `https://wallet.example/wc?uri=${V1}`, encodeURIComponent(V1), `"${V1}"`])
    expect(findPairingLink(pasted)).toBe(V1)
  expect(findPairingLink(V1.replaceAll('&', '&amp;'))).toBe(V1)
})

test('finds no link in other text', () => {
  for (const text of ['', 'hello', 'https://app.example/wc?uri=abc', 'wc:', 'swc:abc@2', 'x'.repeat(20_000)])
    expect(findPairingLink(text)).toBeUndefined()
})

test('every link is found in every wrapping', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{64}$/)
  const wraps: ((link: string) => string)[] = [
    link => link,
    link => link.replaceAll('&', '&amp;'),
    encodeURIComponent,
    link => `https://wallet.example/wc?uri=${link}`,
    link => `https://wallet.example/wc?uri=${encodeURIComponent(link)}&x=1`,
    link => `“${link}”`,
    link => `See ${link}.`,
    link => (link.match(/.{1,50}/g) ?? []).join('\n'),
  ]
  fc.assert(
    fc.property(hex, hex, fc.constantFrom(...wraps), fc.boolean(), (topic, key, wrap, isKeyFirst) => {
      const query = [`symKey=${key}`, 'relay-protocol=irn']
      const link = `wc:${topic}@2?${(isKeyFirst ? query : query.toReversed()).join('&')}`
      expect(findPairingLink(wrap(link))).toBe(link)
    }),
  )
})
