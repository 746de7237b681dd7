/** The demo site's v1 page: the published client on both sides, the bridge, and a local chain. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyMessage } from 'ethers'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from '../../programs.js'
import { openChain } from '../support/chain.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let dataDir: string
let browser: Browser
let page: Page
let account: string
const asked = new Set<string>()

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'heliograph-v1-'))
  stack = await startStack({ dataDir })
  const chain = openChain(stack.urls.chain)
  account = (await chain.listAccounts())[0]?.address ?? ''
  chain.destroy()
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
  page = await browser.newPage()
  page.on('request', request => void asked.add(new URL(request.url()).host))
  page.on('websocket', socket => void asked.add(new URL(socket.url()).host))
  await page.goto(`${stack.urls.site}/v1`)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const text = (id: string) => page.locator(`#${id}`).textContent()

/** Waits until the wallet shows a request, and presses the button. */
const decide = async (name: 'Approve' | 'Reject') => {
  await page.locator('output#request[data-state=waiting]').waitFor()
  await press(name)
}

const answer = async (id: string): Promise<unknown> => {
  const output = page.locator(`output#${id}:is([data-state=result], [data-state=error])`)
  await output.waitFor()
  return JSON.parse((await output.textContent()) ?? '')
}

test('a wallet that accepts the pairing is connected after the approval', async () => {
  await press('Create pairing')
  const pairing = String(await answer('pairing'))
  expect(new URL(pairing).searchParams.get('bridge')).toBe(stack.urls.bridge)
  await press('Pair')
  await decide('Approve')
  await expect.poll(() => text('account')).toBe(account.toLowerCase())
  expect(await text('chain')).toBe('31337')
})

test('a message is signed, a transaction sent, and a request rejected', async () => {
  await press('personal_sign')
  await decide('Approve')
  expect(verifyMessage('Hello over the bridge.', String(await answer('personal_sign')))).toBe(account)
  await press('eth_sendTransaction')
  await decide('Approve')
  expect(await answer('eth_sendTransaction')).toMatch(/^0x[0-9a-f]{64}$/)
  await press('personal_sign')
  await decide('Reject')
  expect(await answer('personal_sign')).toEqual({ message: 'The user rejected the request.' })
})

test('the session survives a reload and ends when the site ends it', async () => {
  await page.reload()
  await expect.poll(() => text('account')).toBe(account.toLowerCase())
  await press('personal_sign')
  await decide('Approve')
  expect(verifyMessage('Hello over the bridge.', String(await answer('personal_sign')))).toBe(account)
  await press('Disconnect')
  await expect.poll(() => text('account')).toBe('not connected')
})

test("the bridge's status page shows the traffic", async () => {
  const status = await browser.newPage()
  await status.goto(`${stack.urls.bridge}/status`)
  await expect.poll(() => status.locator('#state').textContent()).toBe('Delivering frames')
  expect(await status.locator('#rate-more').textContent()).toMatch(/^[1-9]\d* delivered since the start$/)
  await status.close()
})

test('only the site, the chain and the bridge are contacted', () => {
  const { site, chain, bridge } = stack.urls
  expect(asked).toEqual(new Set([site, chain, bridge].map(url => new URL(url).host)))
})
