import { beforeEach, expect, test, vi } from 'vitest'
import { memoryStore } from '../wallet/store.ts'
import { ADDRESS, ADDRESS_LOWER, connectedWallet, OTHER_SITE, SITE, undecided } from '../wallet/wallet.fixture.ts'
import browser, { portOf, type TestPort, world } from './browser.fixture.ts'
import { servePages } from './page-ports.ts'

vi.mock('webextension-polyfill', () => import('./browser.fixture.ts'))

const { wallet } = await connectedWallet({ person: undecided })
const session = memoryStore()
const { announce } = servePages(() => wallet, session)

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

test('a page is answered under the id of its request, with a result or an error', async () => {
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

test('a frame without an origin of its own gets nothing, though its URL is that of a connected site', async () => {
  for (const origin of ['null', '', 'file://', 'chrome-extension://another', undefined]) {
    const port = portOf('page', { url: `${SITE}/`, ...(origin !== undefined && { origin }) })
    await browser.runtime.onConnect.fire(port)
    for (const method of ['eth_accounts', 'eth_chainId'])
      expect(await ask(port, method)).toMatchObject({ error: { code: 4100 } })
  }
})

test('what is no request is passed over', async () => {
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

test('a port of another name is not served', async () => {
  const port = await connect({}, 'ui')
  expect(await ask(port, 'eth_accounts')).toBeUndefined()
})

test('when a page goes, its requests go, and its answers are posted nowhere', async () => {
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

test('an event goes to the documents of its site that have asked before; the chain goes to all', async () => {
  await session.remove('pages')
  const [mine, other] = [await connect(), await connect({ origin: OTHER_SITE })]
  const nobody = portOf('page', { origin: 'null', documentId: 'sandboxed', tab: { id: 1 } })
  await browser.runtime.onConnect.fire(nobody)
  await announce({ event: 'accountsChanged', origin: SITE, data: [] })
  const toMine = [mine.sender.tab?.id, mine.documentId, { event: 'accountsChanged', data: [] }]
  expect(world.sent).toEqual([toMine])

  world.sent.length = 0
  await announce({ event: 'chainChanged', data: '0x1' })
  expect(world.sent.map(([, documentId]) => documentId)).toEqual([mine.documentId, other.documentId])
})

test('a document that is gone is forgotten, and the others are still told', async () => {
  await session.remove('pages')
  const [gone, here] = [await connect(), await connect()]
  world.goneDocuments.add(gone.documentId)
  await announce({ event: 'chainChanged', data: '0x1' })
  expect(world.sent).toHaveLength(1)
  expect(await session.get('pages')).toMatchObject([{ documentId: here.documentId }])
})

test('a document that connects again is one document, and the number kept is bounded', async () => {
  await session.remove('pages')
  const { documentId } = await connect()
  await connect({ documentId })
  expect(await session.get('pages')).toHaveLength(1)
  await Promise.all(Array.from({ length: 520 }, () => connect()))
  await expect.poll(async () => ((await session.get('pages')) as unknown[]).length).toBe(500)
})
