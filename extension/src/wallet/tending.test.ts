import { expect, test } from 'vitest'
import { NEWS_PAUSE, REQUEST_LIFETIME, REQUESTS_PAUSE } from './tending.ts'
import { ADDRESS, connectedWallet, SITE, startNode, startWallet, undecided } from './wallet.fixture.ts'

const sign = { method: 'personal_sign', params: ['hello', ADDRESS] }

const start = async () => {
  const clock = { time: 1_000 }
  const gone = new Set<string>()
  const { store } = await connectedWallet()
  const parts = { person: undecided, store, now: () => clock.time, isThere: async (page: string) => !gone.has(page) }
  const headless = startWallet({
    ...parts,
    chain: startNode({ eth_getBlockByNumber: () => ({ number: '0x1', hash: '0x1' }) }).chain,
  })
  const waiting = async () => (await headless.wallet.ui.getState(null)).waiting.map(({ id }) => id)
  const ask = (id: string, page: string | null = null) => {
    const answer = headless.wallet.request(SITE, { id, page, ...sign })
    return answer.catch(({ code, message }) => [code, message])
  }
  return { ...headless, parts, clock, gone, waiting, ask }
}

test('without work, nothing is scheduled', async () => {
  expect(await (await start()).wallet.tend()).toBeNull()
})

test('an undecided request expires, and the site gets the reason', async () => {
  const { wallet, ask, clock, waiting } = await start()
  const old = ask('old')
  await expect.poll(waiting).toHaveLength(1)
  clock.time += REQUEST_LIFETIME - 1
  const young = ask('young')
  young.catch(() => undefined)
  await expect.poll(waiting).toHaveLength(2)
  expect(await wallet.tend()).toBe(REQUESTS_PAUSE)
  expect(await waiting()).toHaveLength(2)
  clock.time += 1
  await wallet.tend()
  expect(await old).toEqual([4001, 'The request was not decided in time'])
  expect(await waiting()).toEqual([`${SITE} young`])
})

test('if a page closed while the worker was stopped, its request is withdrawn', async () => {
  const before = await start()
  void before.ask('orphan', '1 gone')
  void before.ask('other', '1 here')
  void before.ask('unnamed')
  await expect.poll(before.waiting).toHaveLength(3)

  const after = startWallet({ ...before.parts })
  before.gone.add('1 gone')
  await after.wallet.resume()
  expect(await after.wallet.tend()).toBe(REQUESTS_PAUSE)
  const { waiting } = await after.wallet.ui.getState(null)
  expect(waiting.map(({ id }) => id)).toEqual([`${SITE} other`, `${SITE} unnamed`])
})

test('the window closes when the last request expires', async () => {
  const { wallet, ask, clock, shown, waiting } = await start()
  void ask('1')
  await expect.poll(waiting).toHaveLength(1)
  clock.time += REQUEST_LIFETIME
  await wallet.tend()
  expect(shown).toEqual(['approval', 'hidden'])
  expect(await wallet.tend()).toBeNull()
})

test('subscriptions are checked more often than requests', async () => {
  const { wallet } = await start()
  await wallet.request(SITE, { id: 's', method: 'eth_subscribe', params: ['newHeads'], page: '1 here' })
  expect(await wallet.tend()).toBe(NEWS_PAUSE)
})
