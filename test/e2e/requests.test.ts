/** What becomes of requests that nobody decides, and who is told of what: in the built extension, by several sites. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { ADDRESS, importWallet, PASSWORD, type Person, startPerson } from './person.ts'
import { approved, call, type Reply, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const ACCOUNT = ADDRESS.toLowerCase()
const sign = ['0x1234', ADDRESS]

let anvil: Anvil
let web: Web
let person: Person
let home: Page
/** Two sites that are connected, one that is not, and one that the wallet has never heard of. */
const sites: Record<'one' | 'two' | 'stranger' | 'silent', Page> = {} as never

beforeAll(async () => {
  anvil = await startAnvil()
  web = await startWeb({ '/': '<p>A site</p>', '/next': '<p>The next page</p>' })
  person = await startPerson()
  home = await importWallet(person)
  await callWallet(home, 'setRpcUrl', { chainId: 31337, rpcUrl: anvil.url })
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

/** Keeps what the content script passes on, which shows events also where the provider has nothing to tell the page. */
const listen = (page: Page) =>
  page.evaluate(() => {
    const events: unknown[] = []
    Object.assign(window, { events })
    addEventListener('message', ({ source, data }) => {
      const { event, data: value } = source === window && data?.source === 'heliograph:wallet' ? data.message : {}
      if (event) events.push([event, value])
    })
  })

/** The events that a site's page has heard since the last look. */
const heard = (name: keyof typeof sites): Promise<unknown[]> =>
  sites[name].evaluate(() => (window as unknown as { events: unknown[] }).events.splice(0))

/** What each site has heard, once the first has heard something. */
const told = async () => {
  const all: Record<string, unknown[]> = { one: [], two: [], stranger: [], silent: [] }
  const look = async () => {
    for (const name of Object.keys(sites) as (keyof typeof sites)[]) all[name]?.push(...(await heard(name)))
    return Object.values(all).flat().length
  }
  await expect.poll(look).toBeGreaterThan(0)
  // One more round trip of a page: what was told with the first has arrived by then.
  for (const name of ['one', 'two', 'stranger'] as const) await call(sites[name], 'eth_chainId')
  await look()
  return Object.fromEntries(Object.entries(all).filter(([, events]) => events.length > 0))
}
const waitingIn = async (page: Page) => (await callWallet(page, 'getState', null)).result.waiting
const waiting = () => waitingIn(home)
/** The text of the badge on the wallet's icon. */
const badge = (page: Page) => page.evaluate(() => chrome.action.getBadgeText({}))

/** Asks for signatures and resolves with their replies, to be awaited, once the window is there. */
const askFor = async (page: Page, count: number) => {
  const replies: Promise<Reply>[] = []
  const window = await person.approval(async () => {
    for (let at = 0; at < count; at++) replies.push(call(page, 'personal_sign', sign))
  })
  return { window, replies }
}

test('closing the window rejects what waits in it, of every site', async () => {
  const { window, replies } = await askFor(sites.one, 2)
  const other = call(sites.two, 'personal_sign', sign)
  await expect.poll(waiting).toHaveLength(3)
  await window.close()
  for (const reply of [...replies, other]) expect(await reply).toMatchObject({ error: { code: 4001 } })
  expect(await waiting()).toEqual([])
})

test('a site that navigates away has its requests dropped, and the window goes with the last of them', async () => {
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

test('a tab that is closed while the worker is stopped has its requests dropped', async () => {
  const page = await openSite('one')
  const { window, replies } = await askFor(page, 1)
  for (const reply of replies) reply.catch(() => undefined)
  await expect.poll(waiting).toHaveLength(1)
  await Promise.all([person.killWorker(), page.close()])
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
  // A worker that was stopped before it had taken the window away leaves it for the next request.
  await window.close()
})

test('a site may have 20 requests waiting; what is over is refused at once', async () => {
  const { window, replies } = await askFor(sites.one, 25)
  await expect.poll(waiting).toHaveLength(20)
  await window.close()
  const codes = (await Promise.all(replies)).map(reply => 'error' in reply && reply.error.code)
  expect(codes.toSorted()).toEqual([...Array(5).fill(-32005), ...Array(20).fill(4001)])
})

test('a site that was never connected does not reach a node on this computer, until its switch is on', async () => {
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

test('a page that asks and goes away, again and again, brings up three windows a minute; then the badge counts', async () => {
  // Not the popup, which only the person opens.
  const settings = await person.open('settings.html')
  await callWallet(home, 'getState', null)
  await home.close()
  let windows = 0
  const count = (page: Page) => {
    if (page.url().includes('approval.html') || page.url() === 'about:blank') windows++
  }
  const page = await openSite('greedy')
  person.context.on('page', count)
  for (let at = 0; at < 8; at++) {
    call(page, 'eth_requestAccounts').catch(() => undefined)
    await expect.poll(async () => (await waitingIn(settings)).length).toBe(1)
    await page.goto(`${web.origin(`greedy${at}`)}/next`)
    await expect.poll(async () => (await waitingIn(settings)).length).toBe(0)
    await settings.waitForTimeout(500)
  }
  person.context.off('page', count)
  expect(windows).toBe(3)
  call(page, 'eth_requestAccounts').catch(() => undefined)
  await expect.poll(() => badge(settings)).toBe('1')
  // Opening the popup shows what waits, and lets windows come up again.
  home = await person.open('popup.html')
  const window = await person.approval(() => home.getByRole('button', { name: '1 request is waiting' }).click())
  await window.close()
  await expect.poll(() => badge(settings)).toBe('')
  await settings.close()
  await page.close()
  home = await person.open('popup.html')
})

test('what nobody decides for ten minutes is answered with 4001', async () => {
  // After so many rejections the site is not listened to for a minute: another one asks.
  const { replies } = await askFor(sites.two, 1)
  await expect.poll(waiting).toHaveLength(1)
  await home.evaluate(async () => {
    const { requests } = await chrome.storage.session.get('requests')
    for (const request of requests) request.createdAt -= 10 * 60_000
    await chrome.storage.session.set({ requests })
  })
  // The worker that knows the request as it was is gone; the next one is called to look after it.
  await person.killWorker()
  await home.evaluate(async () => {
    await chrome.alarms.create('tending', { when: Date.now() })
  })
  expect(await replies[0]).toMatchObject({ error: { code: 4001, message: expect.stringContaining('in time') } })
})

test("the wallet's own network is told to every page that asked for something, and to no other", async () => {
  await callWallet(home, 'selectNetwork', { chainId: 1 })
  const change = [['chainChanged', '0x1']]
  expect(await told()).toEqual({ one: change, two: change, stranger: change })
  await callWallet(home, 'selectNetwork', { chainId: 31337 })
  await told()
})

test('the network of one site is told to that site alone, which then does not hear of the others', async () => {
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

test('locking is told to nobody, and unlocking to connected sites alone', async () => {
  await callWallet(home, 'lock', null)
  expect(await read(sites.one, 'eth_accounts')).toEqual([ACCOUNT])
  await callWallet(home, 'unlock', { password: PASSWORD })
  const same = [['accountsChanged', [ACCOUNT]]]
  expect(await told()).toEqual({ one: same, two: same })
})

test('a page that has gone hears nothing, and the one in its place is another', async () => {
  await sites.two.goto(`${web.origin('two')}/next`)
  await listen(sites.two)
  await callWallet(home, 'disconnectSite', { origin: web.origin('one') })
  expect(await told()).toEqual({ one: [['accountsChanged', []]] })
})

declare const chrome: {
  action: { getBadgeText(details: object): Promise<string> }
  alarms: { create(name: string, options: object): Promise<void> }
  storage: {
    session: {
      get(name: string): Promise<{ requests: { createdAt: number }[] }>
      set(values: object): Promise<void>
    }
  }
}
