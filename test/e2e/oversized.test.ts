/** Oversized requests and messages of pages, some of them larger than a port of the browser can carry. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, type AttackedWallet, startAttackedWallet } from './attacked-wallet.ts'
import { read } from './provider.ts'

let wallet: AttackedWallet

beforeAll(async () => {
  wallet = await startAttackedWallet({})
})
afterEach(() => wallet.rejectAll())
afterAll(() => wallet?.stop())

test("only the oversized request is rejected, and the page's next request works", async () => {
  const page = await wallet.openSite('evil')
  const text = `'x'.repeat(5 << 20)`
  const huge = [
    `{ method: 'eth_call', params: [${text}] }`,
    `{ method: 'eth_call', params: ['x'.repeat(80 << 20)] }`,
    `{ method: ${text} }`,
    `{ method: 'personal_sign', params: [${text}, '${ACCOUNT}'] }`,
  ]
  for (const request of huge) {
    const code = await page.evaluate(`ethereum.request(${request}).then(() => 'answered', ({ code }) => code)`)
    expect([-32005, -32601], request).toContain(code)
  }
  // The messages are posted directly to the content script, because a method and an id of this size are too large for a
  // port.
  await page.evaluate(() => {
    const large = 'x'.repeat(70 << 20)
    for (const message of [
      { id: 'large', method: large },
      { id: large, method: 'eth_chainId' },
    ])
      postMessage({ source: 'heliograph:page', message }, '*')
  })
  expect(await read(page, 'eth_chainId')).toBe('0x7a69')
  await wallet.othersAreServed()
  await page.close()
})
