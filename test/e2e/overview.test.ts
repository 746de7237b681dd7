/** Balances and activity of two accounts on two networks, with a found transfer and the CSV export. */
import { readFile } from 'node:fs/promises'
import { Interface, type JsonRpcProvider } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MULTICALL } from '../../extension/src/wallet/networks/multicall.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'
import { ADDRESS, importWallet, type Person, startPerson, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'

const SECOND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FRIEND = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const COIN = `0x${'c0'.repeat(20)}`
/** An address with the same first four and last four digits as FRIEND. */
const POISON = `${FRIEND.slice(0, 6)}${'7'.repeat(32)}${FRIEND.slice(-4)}`
const LOCAL = 31337
const OTHER = 1

let anvils: readonly Anvil[] = []
let chain: JsonRpcProvider
let person: Person
let settings: Page

/** Logs a transfer of COIN on the first chain, and a zero-value transfer from an address that imitates FRIEND. */
const logTransfers = async () => {
  const coin = new Interface(['function mint(address,uint256)', 'function pretend(address,address,uint256)'])
  for (const data of [
    coin.encodeFunctionData('mint', [SECOND, 2_500_000n]),
    coin.encodeFunctionData('pretend', [POISON, ADDRESS, 0n]),
  ])
    await chain.send('eth_sendTransaction', [{ from: FRIEND, to: COIN, data }])
}

beforeAll(async () => {
  anvils = await Promise.all([LOCAL, OTHER].map(chainId => startAnvil({ chainId })))
  const [first, second] = anvils as [Anvil, Anvil]
  chain = openChain(first.url)
  const contracts = compileContracts('support/contracts')
  await chain.send('anvil_setCode', [COIN, contracts.get('Coin')])
  // Only the first chain has a Multicall3.
  await chain.send('anvil_setCode', [MULTICALL, contracts.get('Multicall')])
  await logTransfers()
  person = await startPerson()
  const home = await importWallet(person)
  await useLocalChain(home, first.url)
  await callWallet(home, 'setRpcUrls', { chainId: OTHER, rpcUrls: [second.url] })
  await callWallet(home, 'addAccount', { name: 'Second' })
  await callWallet(home, 'saveContact', { address: FRIEND, name: 'Friend' })
  const token = { address: ADDRESS, chainId: LOCAL, token: COIN }
  await callWallet(home, 'showToken', token)
  settings = await person.open('settings.html')
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  for (const anvil of anvils) await anvil.stop()
})

const rows = () => settings.getByRole('row')

test('balances of both accounts are shown for both networks, with totals', async () => {
  await settings.getByRole('link', { name: 'Balances', exact: true }).click()
  await settings.getByRole('cell', { name: '2.50', exact: true }).first().waitFor()
  await expect.poll(() => settings.getByRole('cell', { name: '20,000.0000', exact: true }).count()).toBe(2)
})

test('sent and received transfers are listed, marked, filtered and exported', async () => {
  await callWallet(settings, 'sendOwn', {
    ...{ from: ADDRESS, chainId: OTHER, to: FRIEND, token: null, amount: '0x6f05b59d3b20000', id: 'once' },
  })
  await settings.getByRole('link', { name: 'All activity', exact: true }).click()
  await settings.getByRole('button', { name: 'Look for new transfers', exact: true }).click()
  await settings.getByRole('cell', { name: /Received 2.5/ }).waitFor()
  await settings.getByText('Imitates an address you know.', { exact: true }).waitFor()
  await settings.getByText('Zero value.', { exact: true }).waitFor()
  await expect.poll(() => rows().count()).toBe(4)

  const download = settings.waitForEvent('download')
  await settings.getByRole('button', { name: 'Export as CSV', exact: true }).click()
  const [head = '', ...lines] = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  const columns = head.split(',')
  const cell = (line: string, column: string) => line.split(',')[columns.indexOf(column)]
  const told = lines.map(line => ['chain_id', 'direction', 'asset', 'amount'].map(column => cell(line, column)))
  expect(told.toSorted()).toEqual([
    ['1', 'out', 'ETH', '0.5'],
    ['31337', 'in', 'COIN', '0'],
    ['31337', 'in', 'COIN', '2.5'],
  ])

  await settings.getByLabel('Account', { exact: true }).selectOption({ label: 'Second' })
  await expect.poll(() => rows().count()).toBe(2)
  await settings.getByLabel('Direction', { exact: true }).selectOption({ label: 'Sent' })
  await settings.getByText('Nothing matches', { exact: true }).waitFor()
  await settings.getByLabel('Account', { exact: true }).selectOption({ label: 'All accounts' })
  await settings.getByLabel('Direction', { exact: true }).selectOption({ label: 'Sent and received' })
  await settings.getByLabel('Hide suspicious transfers', { exact: true }).check()
  await expect.poll(() => rows().count()).toBe(3)
  await settings.getByLabel('Search activity', { exact: true }).fill('friend')
  await expect.poll(() => rows().count()).toBe(2)
})
