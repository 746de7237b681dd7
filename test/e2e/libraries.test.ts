/**
 * Sites built on ethers, viem, web3.js and wagmi in real pages: each finds the wallet, connects, signs and sends.
 * `test/libraries` tests the libraries' other functions without a browser.
 */
import { type JsonRpcProvider, verifyMessage } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Site } from '../dapp/server.ts'
import { CHAIN, MESSAGE, OTHER, VALUE } from '../libraries/values.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { type Library, serveLibrarySites, setUpWallet } from './library-site.ts'
import { ADDRESS, decide, PASSWORD, type Person, startPerson } from './person.ts'
import { type DemoSite, openSite } from './site.ts'
import { callWallet } from './wallet-page.ts'

const cases: readonly { library: Library; connected: unknown; hash: string }[] = [
  { library: 'ethers', connected: ADDRESS, hash: 'hash' },
  { library: 'viem', connected: ADDRESS, hash: 'transactionHash' },
  { library: 'web3', connected: ADDRESS.toLowerCase(), hash: 'transactionHash' },
  { library: 'wagmi', connected: [ADDRESS], hash: 'transactionHash' },
]

let anvil: Anvil
let chain: JsonRpcProvider
let sites: Site
let person: Person

beforeAll(async () => {
  anvil = await startAnvil()
  chain = openChain(anvil.url)
  sites = await serveLibrarySites()
  person = await startPerson()
  await setUpWallet(person, anvil.url)
})
afterAll(async () => {
  await person?.leave()
  await sites?.stop()
  chain?.destroy()
  await anvil?.stop()
})

/** Opens a library's page as a separate site. */
const openAs = (name: string, library: Library): Promise<DemoSite> => {
  const { port } = new URL(sites.url)
  return openSite(person, `http://${name}.localhost:${port}/${library}`)
}

/**
 * Mines blocks until the library has a receipt, because a library that looked too early tries again only at the next
 * block.
 */
const send = async (site: DemoSite): Promise<unknown> => {
  await decide(await person.approval(() => site.press('send')), 'Approve')
  const state = async () => {
    await chain.send('evm_mine', [])
    return site.page.locator('output[id="send"]').getAttribute('data-state')
  }
  await expect.poll(state, { timeout: 60_000 }).not.toBe('waiting')
  return (await site.answer('send')).value
}

test.each(cases)('$library connects, signs and sends', async ({ library, connected, hash }) => {
  const site = await openAs(library, library)
  expect((await site.ask('connect', 'Connect')).value).toEqual(connected)
  expect(verifyMessage(MESSAGE, String((await site.ask('sign text', 'Approve')).value))).toBe(ADDRESS)
  const before = await chain.getBalance(OTHER)
  const sent = (await send(site)) as Record<string, string>
  expect(await chain.getTransactionReceipt(String(sent[hash]))).toMatchObject({ status: 1, from: ADDRESS, to: OTHER })
  expect((await chain.getBalance(OTHER)) - before).toBe(VALUE)
  await site.page.close()
})

test('wagmi finds the wallet once by EIP-6963, and stays connected through reload, lock and unlock', async () => {
  const site = await openAs('reloaded', 'wagmi')
  const connection = async () => (await site.read('connection')).value
  const icon = expect.stringMatching(/^data:image\/svg\+xml,/)
  const wallets = [{ id: 'org.heliograph.wallet', name: 'Heliograph', type: 'injected', icon }]
  expect((await site.read('wallets')).value).toEqual(wallets)
  expect((await site.ask('connect', 'Connect')).value).toEqual([ADDRESS])
  const connected = { status: 'connected', address: ADDRESS, chainId: CHAIN }

  await site.page.reload()
  expect((await site.read('reconnect')).value).toEqual([[ADDRESS]])
  expect(await connection()).toEqual(connected)

  const home = await person.open('popup.html')
  await callWallet(home, 'lock', null)
  expect(await connection()).toEqual(connected)
  await site.page.reload()
  expect((await site.read('reconnect')).value).toEqual([[ADDRESS]])
  await callWallet(home, 'unlock', { password: PASSWORD })
  await home.close()
  expect(await connection()).toEqual(connected)

  expect((await site.read('disconnect')).state).toBe('result')
  expect(await connection()).toMatchObject({ status: 'disconnected' })
  await site.page.reload()
  expect((await site.read('reconnect')).value).toEqual([])
  expect((await site.ask('connect', 'Connect')).value).toEqual([ADDRESS])
  await site.page.close()
})
