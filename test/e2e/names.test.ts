/** ENS names in the browser: a transfer to a name, by keyboard, and the primary name of a request's recipient. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressNamed } from '../fuzz/world.ts'
import { type Ens, OFFCHAIN, startEns } from '../names/ens.ts'
import { keyboard } from './input-devices.ts'
import { importWallet, type Person, startPerson, untilClosed, useRpc } from './person.ts'
import { approved, call } from './provider.ts'
import { startWeb, type Web } from './web.ts'

const ALICE = addressNamed('alice')

let ens: Ens
let web: Web
let person: Person
let home: Page

beforeAll(async () => {
  ens = await startEns()
  await ens.register('alice.eth', ALICE)
  await ens.setPrimary(ALICE, 'alice.eth')
  await ens.setResolver('off.eth', OFFCHAIN)
  await ens.setGateways(['https://gateway.example/{sender}/{data}'], OFFCHAIN, 1)
  web = await startWeb({ '/': '<link rel="icon" href="data:,"><p>A site</p>' })
  person = await startPerson()
  home = await importWallet(person)
  await useRpc(home, ens.anvil.url)
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
  await ens?.stop()
})

const recipient = () => home.getByLabel('Recipient', { exact: true })

test('for a name that is stored off chain, the wallet shows its host and where to allow it', async () => {
  await keyboard.press(home, 'button', 'Send')
  await keyboard.write(home, 'Recipient', 'x.off.eth')
  await home.getByRole('alert').getByText('gateway.example').waitFor()
  await home.getByRole('button', { name: 'Open the security settings', exact: true }).waitFor()
  await recipient().fill('')
})

test('coins that are sent to a name by keyboard go to the address that is shown', async () => {
  await keyboard.write(home, 'Recipient', 'Alice.ETH')
  await home.getByText('alice.eth', { exact: true }).waitFor()
  expect((await home.locator('.addr').textContent())?.toLowerCase()).toBe(ALICE.toLowerCase())
  await keyboard.press(home, 'button', 'Continue')
  await keyboard.write(home, 'Amount', '0.5')
  await keyboard.press(home, 'button', 'Continue')
  await home.getByRole('heading', { name: 'Review', exact: true }).waitFor()
  await home.getByText('alice.eth', { exact: true }).waitFor()
  await keyboard.press(home, 'button', 'Send')
  await home.getByRole('button', { name: 'Copy hash', exact: true }).waitFor()
  await expect.poll(() => ens.balanceOf(ALICE)).toBe(500_000_000_000_000_000n)
})

test("a request shows the recipient's primary name beside the address", async () => {
  const site = await person.context.newPage()
  await site.goto(web.origin('site'))
  const [from] = (await approved(person, site, 'eth_requestAccounts', [], 'Connect')) as string[]
  const window = await person.approval(async () => {
    void call(site, 'eth_sendTransaction', [{ from, to: ALICE, value: '0x1' }]).catch(() => undefined)
  })
  await window.getByText('alice.eth', { exact: true }).waitFor()
  await untilClosed(window, () => window.getByRole('button', { name: 'Reject', exact: true }).click())
})
