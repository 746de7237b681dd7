/** Removes the extension while a page uses it. In Firefox, this also stops the content script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Provider } from '../../extension/src/provider/provider.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { setUpWallet } from './library-site.ts'
import { ADDRESS, type Owner, startOwner } from './person.ts'
import { approved, asking, call } from './provider.ts'
import { startWeb, type Web } from './web.ts'

const LOWER = ADDRESS.toLowerCase()

let anvil: Anvil
let person: Owner
let web: Web

/** The page's window as the page's own scripts see it. */
declare const window: Window & { ethereum: Provider; heard: unknown[] }

beforeAll(async () => {
  anvil = await startAnvil()
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startOwner()
  await setUpWallet(person, anvil.url)
})
afterAll(async () => {
  await person?.leave()
  await Promise.all([web, anvil].map(part => part?.stop()))
})

test('removing the extension rejects open requests with 4900 and notifies the page', async () => {
  const page = await person.context.newPage()
  await page.goto(web.origin('orphan'))
  await approved(person, page, 'eth_requestAccounts', undefined, 'Connect')
  await page.evaluate(() => {
    window.heard = []
    window.ethereum.on('disconnect', error => window.heard.push((error as { code: number }).code))
    window.ethereum.on('close', code => window.heard.push(code))
  })
  const { reply } = await asking(person, page, 'personal_sign', ['0x00', LOWER])
  const home = await person.open('popup.html')
  // This never resolves: the extension's page closes together with the extension.
  home.evaluate(() => Reflect.get(window, 'chrome').runtime.reload()).catch(() => undefined)
  expect(await reply).toMatchObject({ error: { code: 4900 } })
  expect(await page.evaluate(() => window.heard)).toEqual([1011, 1011])
  expect(await page.evaluate(() => window.ethereum.isConnected())).toBe(false)
  expect(await call(page, 'eth_chainId')).toMatchObject({ error: { code: 4900 } })
})
