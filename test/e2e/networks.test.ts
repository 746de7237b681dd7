/**
 * Public nodes of the catalogue, chosen by mouse and keyboard, a network whose first node stops, and one whose first node
 * lies. A test cannot contact the real nodes, so it uses a copy of the extension whose catalogue lists local nodes.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { INPUT_DEVICES } from './input-devices.ts'
import { startLyingNode } from './lying-node.ts'
import { type PausableNode, startPausableNode } from './pausable-node.ts'
import { ADDRESS, extensionOfRun, importWallet, type Owner, startOwner, useLocalChain } from './person.ts'
import { approved, asking, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

let anvil: Anvil
/** Nodes of two operators. Each serves every chain of the catalogue. */
let first: PausableNode
let second: PausableNode
let web: Web
let folder: string
let person: Owner
let settings: Page

const CHAINS = { keyboard: 7_001_001, mouse: 7_001_002 } as const
const titleOf = (name: keyof typeof CHAINS) => `Lighthouse by ${name}`

beforeAll(async () => {
  anvil = await startAnvil()
  first = await startPausableNode(anvil.url)
  second = await startPausableNode(anvil.url)
  web = await startWeb({ '/': '<p>A site</p>' })
  folder = await mkdtemp(join(tmpdir(), 'heliograph-catalogue-'))
  const extension = join(folder, 'extension')
  await cp(await extensionOfRun(), extension, { recursive: true })
  const networks = Object.entries(CHAINS).map(([name, chainId]) => {
    const hex = `0x${chainId.toString(16)}`
    return {
      chainId,
      title: `Lighthouse by ${name}`,
      symbol: 'LHT',
      explorerUrl: null,
      testnet: true,
      nodes: [
        { url: first.urlAs(hex), operator: 'First Keeper' },
        { url: second.urlAs(hex), operator: 'Second Keeper' },
      ],
    }
  })
  await writeFile(join(extension, 'networks.json'), JSON.stringify(networks))
  person = await startOwner({ extension })
  await importWallet(person)
  settings = await person.open('settings.html')
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
  await first?.stop()
  await second?.stop()
  await anvil?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

test.for(INPUT_DEVICES)(
  'by %s: a network of the catalogue is added, and its public node chosen',
  async ([name, device]) => {
    await settings.bringToFront()
    await device.press(settings, 'link', 'Networks')
    await device.press(settings, 'link', 'Add network')
    await device.write(settings, 'Search networks', name)
    await device.press(settings, 'button', `Add ${titleOf(name)}`)
    await device.press(settings, 'button', 'Use the node of First Keeper')
    await settings.getByText(/^Reachable, /).waitFor()
    await device.press(settings, 'button', 'Use the node of Second Keeper')
    await expect.poll(() => settings.getByText(/^Reachable, /).count()).toBe(2)
    expect(await settings.getByText('In use', { exact: true }).count()).toBe(2)
  },
)

const callNode = async ({ url }: Anvil, method: string, params: readonly unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await response.json()).result
}

test('when a node stops, balances come from the next one, and transactions go there', async () => {
  const stopping = await startAnvil()
  await callNode(anvil, 'anvil_setBalance', [ADDRESS, '0x6124fee993bc0000'])
  await useLocalChain(settings, stopping.url)
  await callWallet(settings, 'setRpcUrls', { chainId: 31337, rpcUrls: [stopping.url, anvil.url] })
  const home = await person.open('popup.html')
  await home.getByText('10,000.0000 ETH', { exact: true }).waitFor()
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await approved(person, site, 'eth_requestAccounts', [], 'Connect')

  await stopping.stop()
  await home.bringToFront()
  await home.getByText('7.0000 ETH', { exact: true }).waitFor()
  const transfer = { from: ADDRESS, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '0x1' }
  const hash = await approved(person, site, 'eth_sendTransaction', [transfer])
  await expect.poll(() => read(site, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  expect(await callNode(anvil, 'eth_getTransactionByHash', [hash])).toMatchObject({ hash })
})

test('a node that lies about the balance is found by the node that compares, and an honest one is proved', async () => {
  const RICH = '0xffffffffffffffffffff'
  let isLying = true
  const liar = await startLyingNode(anvil.url, ({ method, params = [] }) =>
    isLying && method === 'eth_getBalance' && String(params[0]).toLowerCase() === ADDRESS.toLowerCase()
      ? RICH
      : undefined,
  )
  try {
    const { host } = new URL(anvil.url)
    await callWallet(settings, 'setRpcUrls', { chainId: 31337, rpcUrls: [liar.url, anvil.url] })
    await settings.goto(`${settings.url().split('#')[0]}#networks/31337`)
    await settings.getByRole('combobox', { name: `Use of ${host}`, exact: true }).selectOption('Reading and comparing')
    await settings.getByText(new RegExp(`^Proved · .* and ${host}, at block `)).waitFor()

    const site = await person.context.newPage()
    await site.goto(web.origin('site'))
    const transfer = { from: ADDRESS, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '0x1' }
    const lied = await asking(person, site, 'eth_sendTransaction', [transfer])
    await lied.window.getByText('Your nodes disagree: Balance').first().waitFor()
    const said = lied.window.getByRole('region', { name: 'Nodes', exact: true })
    expect(await said.textContent()).toMatch(
      new RegExp(`Nodes disagree.*Balance[^]*${new URL(liar.url).host}[^]*${host}`),
    )
    await lied.window.getByRole('button', { name: 'Reject', exact: true }).click()
    expect(await lied.reply).toMatchObject({ error: { code: 4001 } })

    isLying = false
    const honest = await asking(person, site, 'eth_sendTransaction', [transfer])
    await honest.window.getByText(/^Proved · /).waitFor()
    expect(await honest.window.getByText('Nodes disagree').count()).toBe(0)
    await honest.window.getByRole('button', { name: 'Reject', exact: true }).click()
    await honest.reply
  } finally {
    await liar.stop()
  }
})
