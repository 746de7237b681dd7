import { expect, test } from 'vitest'
import { explorerPage } from './explorer.ts'

const ADDRESS = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

const HASH = `0x${'1c'.repeat(32)}`

test("an explorer's page about an address or a transaction is below the explorer's URL, without its query and fragment", () => {
  for (const url of ['https://scan.example', 'https://scan.example/', 'https://scan.example//?ref=site#top'])
    expect(explorerPage(url, 'address', ADDRESS)).toEqual({
      href: `https://scan.example/address/${ADDRESS}`,
      host: 'scan.example',
    })
  expect(explorerPage('http://localhost:4000/orbit', 'tx', HASH)).toEqual({
    href: `http://localhost:4000/orbit/tx/${HASH}`,
    host: 'localhost:4000',
  })
})

test('a network without an explorer, or with another kind of URL, has no page', () => {
  for (const url of ['', 'scan.example', 'javascript:alert(1)', 'data:text/html,x', 'ftp://scan.example'])
    expect(explorerPage(url, 'tx', HASH)).toBeNull()
})
