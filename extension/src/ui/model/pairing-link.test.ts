import { expect, test } from 'vitest'
import { findLink, linkIn, mistakeIn } from './pairing-link.ts'

const LINK = `wc:${'ab'.repeat(32)}@2?relay-protocol=irn&symKey=${'cd'.repeat(32)}`

test.each([
  ['candy maple cake sugar pudding cream honey rich smooth crumble sweet treat', 'linkIsPhrase'],
  [`0x${'ab'.repeat(32)}`, 'linkIsKey'],
  ['AB'.repeat(32), 'linkIsKey'],
  ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'linkIsAddress'],
  ['eth:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'linkIsAddress'],
  [
    '1. candy\n2. maple\n3. cake\n4. sugar\n5. pudding\n6. cream\n7. honey\n8. rich\n9. smooth\n10. crumble\n11. sweet\n12. treat',
    'linkIsPhrase',
  ],
  ['wc:8a5e5bdc-a0e4-4702@1?bridge=https%3A%2F%2Fbridge.example&key=41', 'linkIsVersion1'],
  ['wss://relay.example', 'linkIsRelay'],
  [' https://app.example/wc ', 'linkIsPage'],
  ['https://app.example/wc?uri=abc', 'linkIsPage'],
  [LINK, null],
  [` ${LINK}\n`, null],
  [btoa(LINK), null],
  ['hello', null],
])('%s: %s', (pasted, mistake) => {
  expect(mistakeIn(pasted)).toBe(mistake)
})

test("a link inside an app's URL is extracted", () => {
  expect(findLink(`https://app.example/wc?uri=${encodeURIComponent(LINK)}`)).toBe(LINK)
  expect(findLink(`anyapp://wc?uri=${encodeURIComponent(LINK)}`)).toBe(LINK)
  expect(findLink(LINK)).toBe(LINK)
  expect(findLink('wc://x@2')).toBe('wc://x@2')
})

test('linkIn returns links and nothing else', () => {
  expect(linkIn(` ${LINK}\n`)).toBe(LINK)
  expect(linkIn(`https://app.example/wc?uri=${encodeURIComponent(LINK)}`)).toBe(LINK)
  const words = 'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat'
  expect(linkIn(`${LINK} ${words}`)).toBe(LINK)
  for (const other of [words, 'candy maple', 'ab'.repeat(32), 'hello', '']) expect(linkIn(other)).toBe('')
})
