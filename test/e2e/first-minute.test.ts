/**
 * The choice of nodes at the end of the setup and on the home screen. Counts the presses until a balance is shown, and
 * until tokens and values are. In Firefox only the second is counted, because the pages are the same.
 */
import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM_DEVICES, counted, EVERY_DEVICE } from './input-devices.ts'
import { type LocalNodes, startLocalNodes, withLocalNodes } from './local-nodes.ts'
import { MAINNET, type Mainnet, startMainnet, USDC } from './mainnet.ts'
import { openHome } from './onboarding.ts'
import { ADDRESS, extensionOfRun, type Owner, PASSWORD, PHRASE, startOwner } from './person.ts'
import { callWallet } from './wallet-page.ts'

const TITLES = ['Ethereum', 'Base', 'Arbitrum One', 'OP Mainnet', 'Polygon', 'BNB Smart Chain']

/** The account's balance on every network, in wei. */
const BALANCE = 1_500_000_000_000_000_000n

let mainnet: Mainnet
let nodes: LocalNodes
let extension: string
let person: Owner

beforeAll(async () => {
  mainnet = await startMainnet()
  await mainnet.chain.send('anvil_setBalance', [ADDRESS, `0x${BALANCE.toString(16)}`])
  await mainnet.mint(USDC, ADDRESS, 2_500_000n)
  await mainnet.price('ETH / USD', 2_000_00000000n)
  await mainnet.price('USDC / USD', 1_00000000n)
  nodes = await startLocalNodes(BALANCE, { [MAINNET]: mainnet.url })
  extension = await withLocalNodes(await extensionOfRun(), nodes)
  person = await startOwner({ extension })
})
afterAll(async () => {
  await person?.leave()
  await nodes?.stop()
  await mainnet?.stop()
  if (extension) await rm(extension, { recursive: true, force: true })
})

/** Opens the onboarding of an import in an empty wallet, and imports the development phrase over the port. */
const importPhrase = async (): Promise<Page> => {
  await person.startAfresh()
  nodes.asked.length = 0
  const page = await person.open('manifest.json')
  await page.goto(new URL('onboarding.html#import', page.url()).href)
  await callWallet(page, 'createVault', { password: PASSWORD, phrase: PHRASE })
  await page.getByRole('heading', { name: 'Choose your nodes', exact: true }).waitFor()
  return page
}

const seesBalance = (page: Page) =>
  page
    .getByText(/^1\.50* ETH$/)
    .first()
    .waitFor()

test.for(CHROMIUM_DEVICES)(
  'by %s: two presses after the password, the balance is shown, and six networks have nodes',
  async ([, unlimited]) => {
    const page = await importPhrase()
    for (const named of [...TITLES, 'PublicNode (Allnodes)', 'dRPC'])
      await page.getByText(named, { exact: true }).waitFor()
    expect(nodes.asked).toEqual([])
    const { acts, device } = counted(unlimited)
    await device.press(page, 'button', 'Use public nodes')
    await device.press(page, 'button', 'Open wallet')
    await seesBalance(page)
    expect(acts).toMatchObject({ presses: 2, fields: 0 })
    await device.press(page, 'button', 'Switch network, Ethereum')
    const options = await page.getByRole('option').allTextContents()
    for (const title of TITLES) expect(options.find(option => option.includes(title))).not.toContain('No node')
  },
)

test.for(EVERY_DEVICE)(
  'by %s: four presses after the password, the tokens and the values of all holdings are shown',
  async ([, unlimited]) => {
    const page = await importPhrase()
    const { acts, device } = counted(unlimited)
    await device.press(page, 'button', 'Use public nodes')
    await device.press(page, 'button', 'Open wallet')
    const [coin, token] = ['Currency', 'USDC'].map(text => page.getByRole('listitem').filter({ hasText: text }))
    await token?.getByText('2.50', { exact: true }).waitFor()
    await device.press(page, 'button', 'Show values')
    await device.press(page.getByRole('dialog'), 'switch', 'Show values')
    await token?.getByText('≈ $2.50', { exact: true }).waitFor()
    await coin?.getByText('≈ $3,000.00', { exact: true }).waitFor()
    await page.getByText('≈ $3,002.50 in total', { exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(acts.presses).toBeLessThanOrEqual(4)
  },
)

test.for(CHROMIUM_DEVICES)(
  'by %s: without a node home says so, and one press leads to the same choice',
  async ([, unlimited]) => {
    const page = await importPhrase()
    await openHome(unlimited, page)
    await page.getByText('No node is chosen for Ethereum', { exact: true }).waitFor()
    expect(nodes.asked).toEqual([])
    const { acts, device } = counted(unlimited)
    await device.press(page, 'button', 'Choose nodes')
    await device.press(page, 'button', 'Use public nodes')
    await seesBalance(page)
    expect(acts.presses).toBe(2)
  },
)

test.for(CHROMIUM_DEVICES)("by %s: the user's own node is entered by its URL", async ([, device]) => {
  const page = await importPhrase()
  await device.press(page, 'button', 'My own node')
  const ethereum = page.getByRole('group', { name: 'Ethereum', exact: true })
  await device.write(ethereum, 'Node URL', nodes.urlOf(1, 'own'))
  await device.press(page, 'button', 'Continue')
  await device.press(page, 'button', 'Open wallet')
  await seesBalance(page)
  expect(nodes.asked.filter(asked => !asked.startsWith('1 '))).toEqual([])
})
