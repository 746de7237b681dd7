/** Collectibles: finding them, pictures from contracts and from a hostile gateway, sending and hiding. */
import { Contract, type JsonRpcProvider } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'
import { AWAY, CID, type Gateway, HOSTILE, startGateway } from './gateway.ts'
import { ADDRESS, importWallet, type Person, startPerson, useLocalChain } from './person.ts'

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = `0x${'a1'.repeat(20)}`
const CATS = `0x${'ca'.repeat(20)}`
const GEAR = `0x${'9e'.repeat(20)}`
const ABI = [
  'function mint(address to, uint256 id, string uri)',
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
]
const GEAR_ABI = ['function mint(address to, uint256 id, uint256 value, string uri)', ...ABI.slice(2)]

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#2a6"/></svg>'
const jsonUrl = (value: object) => `data:application/json;base64,${btoa(JSON.stringify(value))}`

let anvil: Anvil
let chain: JsonRpcProvider
let gateway: Gateway
let person: Person
let home: Page
let settings: Page

const mintAll = async (): Promise<void> => {
  const contracts = compileContracts('support/contracts')
  await chain.send('anvil_setCode', [CATS, contracts.get('Cats')])
  await chain.send('anvil_setCode', [GEAR, contracts.get('Gear')])
  const signer = await chain.getSigner(SENDER)
  const cats = new Contract(CATS, ABI, signer)
  const gear = new Contract(GEAR, GEAR_ABI, signer)
  const pictures = [
    [1, jsonUrl({ name: 'Captain', image: `data:image/svg+xml;base64,${btoa(svg)}` })],
    [2, jsonUrl({ name: 'Tracker', image: gateway.tracker })],
    ...['good', ...HOSTILE, ...AWAY].map((name, at) => [10 + at, `ipfs://${CID}/${name}.json`] as const),
  ] as const
  for (const [id, uri] of pictures) await (await cats.getFunction('mint')(ADDRESS, id, uri)).wait()
  await (await gear.getFunction('mint')(ADDRESS, 7, 5, jsonUrl({ name: 'Rope' }))).wait()
}

beforeAll(async () => {
  const prepareChain = async () => {
    anvil = await startAnvil()
    chain = openChain(anvil.url)
    gateway = await startGateway()
    await mintAll()
  }
  const openWallet = async () => {
    person = await startPerson()
    home = await importWallet(person)
  }
  await Promise.all([prepareChain(), openWallet()])
  await useLocalChain(home, anvil.url)
  settings = await person.open('settings.html')
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await gateway?.stop()
  await anvil?.stop()
})

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click()
const openTab = async () => {
  await home.bringToFront()
  await home.getByRole('tab', { name: 'Collectibles', exact: true }).click()
}
const collection = (name: string) => home.getByRole('region', { name: `“${name}”`, exact: true })

test('found collections are listed only after the user shows them, and no host is contacted', async () => {
  await settings.getByRole('link', { name: 'Tokens', exact: true }).click()
  await press(settings, 'Find')
  await settings.getByText(/^All blocks up to /).waitFor()
  await openTab()
  await home.getByText('No collectibles on Local chain yet', { exact: true }).waitFor()
  await settings.bringToFront()
  for (const name of ['Harbor Cats', 'Expedition gear']) {
    await press(settings, `Show ${name}`)
    await settings.getByRole('button', { name: `Hide ${name}`, exact: true }).waitFor()
  }
  await openTab()
  const tiles = collection('Harbor Cats').getByRole('listitem')
  await tiles.nth(0).getByText('“Captain”', { exact: true }).waitFor()
  await expect
    .poll(() =>
      tiles
        .nth(0)
        .locator('img')
        .evaluate(image => (image as HTMLImageElement).naturalWidth),
    )
    .toBeGreaterThan(0)
  await collection('Expedition gear').getByText('× 5', { exact: true }).waitFor()
  await press(home, /^“Tracker”/)
  await home.getByText(/^The picture is on a web server/).waitFor()
  await home.getByText(gateway.tracker, { exact: true }).waitFor()
  await press(home, 'Back')
  await openTab()
  await press(home, /^#10/)
  await home.getByRole('button', { name: 'Choose a gateway', exact: true }).waitFor()
  expect(gateway.asked).toEqual([])
  await press(home, 'Back')
})

test('pictures come only from the chosen gateway, and hostile pictures are not shown', async () => {
  await settings.bringToFront()
  await settings.getByLabel('IPFS gateway', { exact: true }).fill(gateway.url)
  const form = settings.getByRole('form', { name: 'Pictures of collectibles', exact: true })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await settings.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  // The browser reloads a popup each time it opens.
  await home.reload()
  await openTab()
  await press(home, /^“The good cat”/)
  const picture = home.getByRole('main').locator('img')
  await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(60)
  await press(home, 'Back')
  for (const [names, reason] of [
    [HOSTILE, /^The picture or its metadata is damaged/],
    [AWAY, /^The gateway did not respond/],
  ] as const)
    for (const name of names) {
      await openTab()
      await press(home, /^Show \d+ more$/)
      await press(home, new RegExp(`^“The ${name} cat”`))
      await home.getByText(reason).waitFor()
      expect(await home.locator('img').count()).toBe(0)
      await press(home, 'Back')
    }
  expect(gateway.asked.filter(path => !path.startsWith(`/ipfs/${CID}/`))).toEqual([])
})

/** Continues until the sending button is shown, and sends. */
const send = async (amount: string | null): Promise<void> => {
  await press(home, 'Send')
  await home.getByLabel('Recipient', { exact: true }).fill(RECIPIENT)
  if (amount !== null) {
    await press(home, 'Continue')
    await home.getByLabel('Amount', { exact: true }).fill(amount)
  }
  await press(home, 'Continue')
  await home.getByRole('heading', { name: 'Review', exact: true }).waitFor()
  await press(home, 'Send')
  await home.getByRole('button', { name: 'Copy hash', exact: true }).waitFor()
  await home.getByRole('status').getByText('Confirmed', { exact: true }).waitFor()
  await press(home, 'Back')
}

test('a unique item, and part of an amount, are sent', async () => {
  await openTab()
  await press(home, /^“Captain”/)
  await send(null)
  expect(await new Contract(CATS, ABI, chain).getFunction('ownerOf')(1)).toMatch(new RegExp(RECIPIENT, 'i'))
  await openTab()
  await press(home, /^“Rope”/)
  await send('2')
  expect(await new Contract(GEAR, GEAR_ABI, chain).getFunction('balanceOf')(RECIPIENT, 7)).toBe(2n)
  await openTab()
  await collection('Expedition gear').getByText('× 3', { exact: true }).waitFor()
  expect(await home.getByText('“Captain”', { exact: true }).count()).toBe(0)
})

test('a hidden collection is not listed until it is shown again', async () => {
  await press(home, /^“Rope”/)
  await press(home, 'Hide collection')
  await openTab()
  await collection('Harbor Cats').waitFor()
  await collection('Expedition gear').waitFor({ state: 'detached' })
  await settings.bringToFront()
  await settings.reload()
  await press(settings, 'Show Expedition gear')
  await openTab()
  await collection('Expedition gear').waitFor()
})
