/** The panel beside web pages: Chromium's real side panel, and Firefox's real sidebar. */
import { verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenPanel } from '../support/browser.ts'
import { ADDRESS, importWallet, isFirefox, type Person, press, startPerson } from './person.ts'
import { countPopups } from './popup-windows.ts'
import { approved, asking, call, type Reply } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const CONNECTED = 'This site uses Account 1 on Ethereum.'
const UNCONNECTED = 'Not connected to this site'

let web: Web
let person: Person
let home: Page
let site: Page

beforeAll(async () => {
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
  home = await importWallet(person)
  site = await person.context.newPage()
  await site.goto(web.origin('site'))
  await approved(person, site, 'eth_requestAccounts', [], 'Connect')
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
})

const shows = (panel: OpenPanel, text: string) => expect.poll(panel.text, { timeout: 10_000 }).toContain(text)
const waiting = async () => (await callWallet(home, 'getState', null)).result.waiting

/** Requests a signature of the text, which the panel then shows. */
const signIn = async (panel: OpenPanel, text: string): Promise<Promise<Reply>[]> => {
  const reply = call(site, 'personal_sign', [`0x${Buffer.from(text).toString('hex')}`, ADDRESS])
  reply.catch(() => undefined)
  await shows(panel, 'Sign a message')
  return [reply]
}

/** Approves the shown request: by a press in Chromium, and in Firefox as the panel's page does after a press. */
const approve = async ({ page }: OpenPanel) => {
  if (page) return press(page, 'Approve')
  const [request] = (await callWallet(home, 'getState', null)).result.requests
  if (!request) throw new Error('there is no request')
  await callWallet(home, 'decide', { id: request.id, approve: true, revision: request.revision })
}

test('the panel shows the site of the active tab, and follows it', async () => {
  const panel = await person.openPanel(site)
  await shows(panel, CONNECTED)
  await site.goto(web.origin('other'))
  await shows(panel, UNCONNECTED)
  await site.goto(web.origin('site'))
  await shows(panel, CONNECTED)
  // In Firefox, the driver opens each page in a window of its own.
  if (!isFirefox) {
    const other = await person.context.newPage()
    await other.goto(web.origin('other'))
    await shows(panel, UNCONNECTED)
    await site.bringToFront()
    await shows(panel, CONNECTED)
    await other.close()
  }
  await panel.close()
})

test('the panel shows a request of its window instead of a window, also after a stop of the worker', async () => {
  const popups = await countPopups(home)
  const panel = await person.openPanel(site)
  await shows(panel, CONNECTED)
  const [first] = await signIn(panel, 'one')
  await approve(panel)
  expect(verifyMessage('one', String(Object.values((await first) ?? {})[0]))).toBe(ADDRESS)
  await shows(panel, CONNECTED)

  const [second] = await signIn(panel, 'two')
  await person.killWorker()
  await expect.poll(waiting).toHaveLength(1)
  await shows(panel, 'Sign a message')
  await approve(panel)
  expect(verifyMessage('two', String(Object.values((await second) ?? {})[0]))).toBe(ADDRESS)
  await shows(panel, CONNECTED)
  expect(await popups()).toBe(0)
  await panel.close()
})

test('closing the panel rejects its request, and the next one opens a window', async () => {
  const panel = await person.openPanel(site)
  await shows(panel, CONNECTED)
  const [reply] = await signIn(panel, 'three')
  await panel.close()
  expect(await reply).toMatchObject({ error: { code: 4001 } })
  expect(await waiting()).toEqual([])
  const { window, reply: next } = await asking(person, site, 'personal_sign', ['0x34', ADDRESS])
  await window.close()
  expect(await next).toMatchObject({ error: { code: 4001 } })
})
