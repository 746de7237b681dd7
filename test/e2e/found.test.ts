/** What the wallet finds by itself after a node is chosen: a listed token, an unlisted one, and a new transfer. */
import { Interface, type JsonRpcProvider } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MULTICALL } from '../../extension/src/wallet/networks/multicall.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'
import { ADDRESS, importWallet, type Person, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

const FRIEND = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** The catalogue's USDC, at whose address the chain has a contract with another symbol. */
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const STRAY = `0x${'c0'.repeat(20)}`
const CHAIN = 1

let anvil: Anvil
let chain: JsonRpcProvider
let person: Person
let home: Page

const mint = (token: string, amount: bigint) => {
  const data = new Interface(['function mint(address,uint256)']).encodeFunctionData('mint', [ADDRESS, amount])
  return chain.send('eth_sendTransaction', [{ from: FRIEND, to: token, data }])
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: CHAIN })
  chain = openChain(anvil.url)
  const contracts = compileContracts('support/contracts')
  for (const token of [USDC, STRAY]) await chain.send('anvil_setCode', [token, contracts.get('Coin')])
  await chain.send('anvil_setCode', [MULTICALL, contracts.get('Multicall')])
  await mint(USDC, 2_500_000n)
  await mint(STRAY, 7_000_000n)
  person = await startPerson()
  home = await importWallet(person)
  await callWallet(home, 'setRpcUrls', { chainId: CHAIN, rpcUrls: [anvil.url] })
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await anvil?.stop()
})

test('a listed token appears by itself, and an unlisted one is folded until it is chosen, by keyboard', async () => {
  await home.getByRole('listitem').filter({ hasText: 'USDC' }).getByText('2.50', { exact: true }).waitFor()
  await home.getByText('2 tokens found', { exact: true }).waitFor()
  const fold = home.getByRole('button', { name: '1 unverified token hidden', exact: true })
  await fold.focus()
  await home.keyboard.press('Enter')
  const show = home.getByRole('button', { name: 'Show COIN', exact: true })
  await show.waitFor()
  await home.keyboard.press('Tab')
  await expect.poll(() => show.evaluate(button => button === document.activeElement)).toBe(true)
  await home.keyboard.press('Enter')
  await home.getByRole('listitem').filter({ hasText: 'COIN' }).getByText('7.00', { exact: true }).waitFor()
})

test('a new transfer counts on the activity tab until it is seen', async () => {
  await mint(USDC, 1_000_000n)
  await callWallet(home, 'lookAgain', { chainId: CHAIN })
  await home.getByText('1 new transfer', { exact: true }).waitFor({ state: 'attached' })
  await home.getByRole('tab', { name: 'Activity', exact: true }).click()
  await home.getByRole('listitem').filter({ hasText: 'Received 1 USDC' }).waitFor()
  await home.getByText('1 new transfer', { exact: true }).waitFor({ state: 'detached' })
})

test('switched off, a new transfer is not looked for', async () => {
  const settings = await person.open('settings.html')
  await settings.getByRole('link', { name: 'Tokens', exact: true }).click()
  await settings.getByRole('switch', { name: 'Look for tokens and collectibles by itself', exact: true }).click()
  await expect.poll(async () => (await callWallet(settings, 'getState', null)).result.looksByItself).toBe(false)
  const before = (await callWallet(settings, 'getState', null)).result.looks
  await mint(USDC, 1_000_000n)
  await callWallet(settings, 'lookAgain', { chainId: CHAIN })
  expect((await callWallet(settings, 'getState', null)).result.looks).toEqual(before)
})
