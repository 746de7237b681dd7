import { beforeEach, expect, test, vi } from 'vitest'
import { memoryStore } from '../wallet/storage/store.ts'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, OTHER_SITE, SITE, undecided } from '../wallet/wallet.fixture.ts'
import browser, { portOf, type TestPort, world } from './browser.fixture.ts'
import { servePages } from './page-ports.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

const { wallet } = await connectedWallet({ person: undecided })
const session = memoryStore()
const { announce, isThere } = servePages(() => wallet, session)

beforeEach(() => {
  world.sent.length = 0
  world.goneDocuments.clear()
})

let documents = 0
const connect = async (sender: TestPort['sender'] = {}, name = 'page') => {
  const documentId = `document ${++documents}`
  const port = portOf(name, { url: `${SITE}/`, origin: SITE, documentId, tab: { id: documents }, ...sender })
  await browser.runtime.onConnect.fire(port)
  return { ...port, documentId }
}
const ask = async (port: TestPort, method: string, params?: unknown, id: unknown = 'x') => {
  await port.fromPage({ id, method, params })
  return port.posted.at(-1)
}
const sign = { method: 'personal_sign', params: ['hello', ADDRESS] }
const waiting = async () => (await wallet.ui.getState(null)).waiting

test('a response has the id of its request and a result or an error', async () => {
  const port = await connect()
  expect(await ask(port, 'eth_accounts')).toEqual({ id: 'x', result: [ADDRESS_LOWER] })
  expect(await ask(port, 'eth_nothing')).toMatchObject({ id: 'x', error: { code: -32601 } })
  expect(await ask(port, 'personal_sign', ['0x1', ADDRESS])).toMatchObject({ error: { code: -32602 } })
})

test("the site is the origin that the browser reports, whatever the page or the frame's URL says", async () => {
  const other = await connect({ origin: OTHER_SITE, url: `${SITE}/` })
  expect(await ask(other, 'eth_accounts')).toEqual({ id: 'x', result: [] })
  await other.fromPage({ id: 'y', method: 'eth_accounts', origin: SITE, sender: { origin: SITE } })
  expect(other.posted.at(-1)).toEqual({ id: 'y', result: [] })
})

test('a frame with an opaque origin gets nothing, even with the URL of a connected site', async () => {
  for (const origin of ['null', '', 'file://', 'chrome-extension://another', undefined]) {
    const port = portOf('page', { url: `${SITE}/`, ...(origin !== undefined && { origin }) })
    await browser.runtime.onConnect.fire(port)
    for (const method of ['eth_accounts', 'eth_chainId'])
      expect(await ask(port, method)).toMatchObject({ error: { code: 4100 } })
  }
})

test('ignores invalid messages', async () => {
  const port = await connect()
  for (const message of [
    null,
    5,
    'text',
    [],
    {},
    { id: 1, method: 'eth_accounts' },
    { id: 'x' },
    { id: 'x', method: 1 },
  ])
    await port.fromPage(message)
  await port.fromPage({ id: 'x'.repeat(65), method: 'eth_accounts' })
  expect(port.posted).toEqual([])
})

test('a repeated request is answered once while it is open', async () => {
  const port = await connect()
  const twice = [port.fromPage({ id: 'twice', ...sign }), port.fromPage({ id: 'twice', ...sign })]
  await expect.poll(waiting).toHaveLength(1)
  await wallet.ui.rejectAll(null)
  await Promise.all(twice)
  expect(port.posted).toMatchObject([{ id: 'twice', error: { code: 4001 } }])
})

test('ignores ports with other names', async () => {
  const port = await connect({}, 'ui')
  expect(await ask(port, 'eth_accounts')).toBeUndefined()
})

test('when a page closes, its requests are dropped and its responses not posted', async () => {
  const [leaving, staying] = [await connect(), await connect()]
  const answered = leaving.fromPage({ id: 'leaving', ...sign })
  const stays = staying.fromPage({ id: 'staying', ...sign })
  await expect.poll(waiting).toHaveLength(2)
  await leaving.leave()
  await answered
  expect(leaving.posted).toEqual([])
  expect(await waiting()).toMatchObject([{ id: `${SITE} staying`, origin: SITE }])
  await wallet.ui.rejectAll(null)
  await stays
  expect(staying.posted).toMatchObject([{ id: 'staying', error: { code: 4001 } }])
})

test("an event goes to the documents of its site that sent a request, and the wallet's chain to all that follow it", async () => {
  await session.remove('pages')
  const [mine, other] = [await connect(), await connect({ origin: OTHER_SITE })]
  const nobody = portOf('page', { origin: 'null', documentId: 'sandboxed', tab: { id: 1 } })
  await browser.runtime.onConnect.fire(nobody)
  await announce({ event: 'accountsChanged', origin: SITE, data: [] })
  const toMine = [mine.sender.tab?.id, mine.documentId, { event: 'accountsChanged', data: [] }]
  expect(world.sent).toEqual([toMine])

  world.sent.length = 0
  const reached = () => world.sent.splice(0).map(([, documentId]) => documentId)
  await announce({ event: 'chainChanged', except: [], data: '0x1' })
  expect(reached()).toEqual([mine.documentId, other.documentId])
  await announce({ event: 'chainChanged', except: [SITE], data: '0x1' })
  expect(reached()).toEqual([other.documentId])
  await announce({ event: 'chainChanged', origin: SITE, data: '0x1' })
  expect(reached()).toEqual([mine.documentId])
})

test("a site's events do not reach origins that resemble its own", async () => {
  await session.remove('pages')
  const { documentId } = await connect()
  for (const scheme of ['https://sub.', 'https://not-', 'http://'])
    await connect({ origin: SITE.replace('https://', scheme) })
  for (const end of [':8443', '.attacker.example']) await connect({ origin: `${SITE}${end}` })
  world.sent.length = 0
  await announce({ event: 'accountsChanged', origin: SITE, data: [ADDRESS_LOWER] })
  expect(world.sent.map(([, reached]) => reached)).toEqual([documentId])
})

test('sends a message to a single document', async () => {
  await session.remove('pages')
  const [mine] = [await connect(), await connect()]
  world.sent.length = 0
  const data = { type: 'eth_subscription', data: { subscription: '0x1', result: {} } }
  await announce({ event: 'message', page: `${mine.sender.tab?.id} ${mine.documentId}`, data })
  expect(world.sent).toEqual([[mine.sender.tab?.id, mine.documentId, { event: 'message', data }]])
})

test('a page exists until its document is destroyed, even if its tab shows another one', async () => {
  world.goneDocuments.add('document gone')
  expect(await isThere('7 document here')).toBe(true)
  expect(await isThere('7 document gone')).toBe(false)
  expect(world.sent).toEqual([[7, 'document here', 'ping']])
})

test('reports the top-level site for a cross-site frame only', async () => {
  const around = (url: string, frameId: number) => ({ frameId, tab: { id: ++documents, url } })
  const cases: [TestPort['sender'], string | null][] = [
    [around('https://outer.example/page', 3), 'https://outer.example'],
    [around(`${SITE}/page`, 3), null],
    [around('https://outer.example/page', 0), null],
    [{ frameId: 3 }, null],
  ]
  for (const [sender, top] of cases) {
    const port = await connect(sender)
    const answered = port.fromPage({ id: `framed ${documents}`, ...sign })
    await expect.poll(waiting).toHaveLength(1)
    expect(await waiting()).toMatchObject([{ origin: SITE, top }])
    await port.leave()
    await answered
  }
})

test('drops a destroyed document and still notifies the others', async () => {
  await session.remove('pages')
  const [gone, here] = [await connect(), await connect()]
  world.goneDocuments.add(gone.documentId)
  await announce({ event: 'chainChanged', except: [], data: '0x1' })
  expect(world.sent).toHaveLength(1)
  expect(await session.get('pages')).toMatchObject([{ documentId: here.documentId }])
})

test('counts a reconnecting document once, and limits the number of documents', async () => {
  await session.remove('pages')
  const { documentId } = await connect()
  await connect({ documentId })
  expect(await session.get('pages')).toHaveLength(1)
  await Promise.all(Array.from({ length: 520 }, () => connect()))
  await expect.poll(async () => ((await session.get('pages')) as unknown[]).length).toBe(500)
})

test('frames of one tab do not displace documents of others', async () => {
  await session.remove('pages')
  const { documentId } = await connect()
  await Promise.all(Array.from({ length: 600 }, () => connect({ origin: OTHER_SITE, tab: { id: -1 } })))
  const pages = async () => (await session.get('pages')) as { documentId: string }[]
  await expect.poll(async () => (await pages()).length).toBe(51)
  expect((await pages()).some(page => page.documentId === documentId)).toBe(true)
})
