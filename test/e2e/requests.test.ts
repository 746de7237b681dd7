/** Undecided requests, and events for several sites, in the built extension. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { ADDRESS, importWallet, isFirefox, PASSWORD, type Person, startPerson, useLocalChain } from './person.ts'
import { approved, call, type Reply, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const ACCOUNT = ADDRESS.toLowerCase()
const sign = ['0x1234', ADDRESS]

let anvil: Anvil
let web: Web
let person: Person
let home: Page
/** Two connected sites, a site that is not connected, and a site that sends no request. */
const sites: Record<'one' | 'two' | 'stranger' | 'silent', Page> = {} as never

beforeAll(async () => {
  anvil = await startAnvil()
  web = await startWeb({ '/': '<p>A site</p>', '/next': '<p>The next page</p>' })
  person = await startPerson()
  home = await importWallet(person)
  await useLocalChain(home, anvil.url)
  for (const name of ['one', 'two', 'stranger', 'silent'] as const) sites[name] = await openSite(name)
  for (const page of [sites.one, sites.two]) await approved(person, page, 'eth_requestAccounts', [], 'Connect')
  await call(sites.stranger, 'eth_chainId')
})

afterAll(async () => {
  await person?.leave()
  await web?.stop()
  await anvil?.stop()
})

beforeEach(async () => {
  for (const name of ['one', 'two', 'stranger'] as const) await heard(name)
})

const openSite = async (name: string) => {
  const page = await person.context.newPage()
  await page.goto(web.origin(name))
  await listen(page)
  return page
}

/** Records the events in all messages of the content script, including events that the provider does not emit. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const events: unknown[] = []
    Object.assign(window, { events })
    addEventListener('message', ({ source, data }) => {
      const { event, data: value } = source === window && data?.source === 'heliograph:wallet' ? data.message : {}
      if (event) events.push([event, value])
    })
  })

/** Returns the events that a site's page received since the last call. */
const heard = (name: keyof typeof sites): Promise<unknown[]> =>
  sites[name].evaluate(() => (window as unknown as { events: unknown[] }).events.splice(0))

/** Returns the events of all sites, once there is at least one. */
const told = async () => {
  const all: Record<string, unknown[]> = { one: [], two: [], stranger: [], silent: [] }
  const look = async () => {
    for (const name of Object.keys(sites) as (keyof typeof sites)[]) all[name]?.push(...(await heard(name)))
    return Object.values(all).flat().length
  }
  await expect.poll(look).toBeGreaterThan(0)
  // Once every page has made another round trip, all events of the same change have arrived.
  for (const name of ['one', 'two', 'stranger'] as const) await call(sites[name], 'eth_chainId')
  await look()
  return Object.fromEntries(Object.entries(all).filter(([, events]) => events.length > 0))
}
const waitingIn = async (page: Page) => (await callWallet(page, 'getState', null)).result.waiting
const waiting = () => waitingIn(home)
/** Returns the id of the window in which the wallet shows requests. */
const keptWindow = (page: Page) =>
  page.evaluate(async () => (await chrome.storage.session.get('approval-window'))['approval-window'])

/** Requests signatures. Resolves with the window and the pending replies. */
const askFor = async (page: Page, count: number) => {
  const replies: Promise<Reply>[] = []
  const window = await person.approval(async () => {
    for (let at = 0; at < count; at++) replies.push(call(page, 'personal_sign', sign))
  })
  return { window, replies }
}

test('closing the window rejects the requests of all sites', async () => {
  const { window, replies } = await askFor(sites.one, 2)
  const other = call(sites.two, 'personal_sign', sign)
  await expect.poll(waiting).toHaveLength(3)
  await window.close()
  for (const reply of [...replies, other]) expect(await reply).toMatchObject({ error: { code: 4001 } })
  expect(await waiting()).toEqual([])
})

test("navigating away withdraws a page's requests, and the window closes with the last one", async () => {
  const page = await openSite('one')
  const { window, replies } = await askFor(page, 2)
  for (const reply of replies) reply.catch(() => undefined)
  await expect.poll(waiting).toHaveLength(2)
  const stays = call(sites.two, 'personal_sign', sign)
  await expect.poll(waiting).toHaveLength(3)
  await page.goto(`${web.origin('one')}/next`)
  await expect.poll(waiting).toMatchObject([{ origin: web.origin('two') }])
  const closed = window.waitForEvent('close')
  await callWallet(home, 'rejectAll', null)
  expect(await stays).toMatchObject({ error: { code: 4001 } })
  await closed
  await page.close()
})

test('closing a tab while the worker is stopped withdraws its requests', async () => {
  const page = await openSite('one')
  const { window, replies } = await askFor(page, 1)
  for (const reply of replies) reply.catch(() => undefined)
  await expect.poll(waiting).toHaveLength(1)
  await Promise.all([person.killWorker(), page.close()])
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
  // If the worker was stopped before it closed the window, the window stays open. The test closes it only after the
  // wallet no longer counts it as its window, because closing it would otherwise reject the next requests.
  await expect.poll(() => keptWindow(home)).toBeUndefined()
  await window.close()
})

// The wallet decides alike in both browsers who gets which event.
if (!isFirefox) {
  test('an unconnected site reaches a local node only if its setting is on', async () => {
    const reading = ['eth_call', 'eth_getLogs', 'eth_subscribe', 'eth_newFilter', 'eth_blockNumber']
    for (const method of reading)
      expect(await call(sites.stranger, method, [{}]), method).toMatchObject({ error: { code: 4100 } })
    expect(await read(sites.stranger, 'eth_chainId')).toBe('0x7a69')
    expect(await read(sites.stranger, 'eth_accounts')).toEqual([])
    expect(await read(sites.one, 'eth_blockNumber')).toMatch(/^0x/)
    const origin = web.origin('stranger')
    await callWallet(home, 'setSiteChoice', { origin, readsLocalNode: true })
    expect(await read(sites.stranger, 'eth_blockNumber')).toMatch(/^0x/)
    await callWallet(home, 'setSiteChoice', { origin, readsLocalNode: false })
    expect(await call(sites.stranger, 'eth_blockNumber')).toMatchObject({ error: { code: 4100 } })
  })

  test("a change of the wallet's network is sent to every page that has sent a request, and to no others", async () => {
    await callWallet(home, 'selectNetwork', { chainId: 1 })
    const change = [['chainChanged', '0x1']]
    expect(await told()).toEqual({ one: change, two: change, stranger: change })
    await callWallet(home, 'selectNetwork', { chainId: 31337 })
    await told()
  })

  test("a change of a site's network is sent only to that site, which then ignores changes of the wallet's network", async () => {
    await callWallet(home, 'setSiteNetwork', { origin: web.origin('one'), chainId: 8217 })
    expect(await told()).toEqual({ one: [['chainChanged', '0x2019']] })
    await callWallet(home, 'selectNetwork', { chainId: 1 })
    const change = [['chainChanged', '0x1']]
    expect(await told()).toEqual({ two: change, stranger: change })
    await callWallet(home, 'selectNetwork', { chainId: 31337 })
    await told()
    await callWallet(home, 'setSiteNetwork', { origin: web.origin('one'), chainId: null })
    await told()
  })

  test('a lock sends no events, and an unlock notifies only connected sites', async () => {
    await callWallet(home, 'lock', null)
    expect(await read(sites.one, 'eth_accounts')).toEqual([ACCOUNT])
    await callWallet(home, 'unlock', { password: PASSWORD })
    const same = [['accountsChanged', [ACCOUNT]]]
    expect(await told()).toEqual({ one: same, two: same })
  })
}

test('a closed page gets no events, and the page that replaces it counts as new', async () => {
  await sites.two.goto(`${web.origin('two')}/next`)
  await listen(sites.two)
  await callWallet(home, 'disconnectSite', { origin: web.origin('one') })
  expect(await told()).toEqual({ one: [['accountsChanged', []]] })
})

declare const chrome: {
  storage: { session: { get(name: string): Promise<{ 'approval-window'?: number | string }> } }
}
