import { beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, type Store } from '../wallet/storage/store.ts'
import { ADDRESS, connectedWallet, SITE, startNode, startWallet, undecided } from '../wallet/wallet.fixture.ts'
import browser, { world } from './browser.fixture.ts'
import { CHECK_INTERVAL, createUpdates, MAX_WAIT } from './updates.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => {
  vi.useFakeTimers()
  world.reloads.length = 0
  browser.runtime.onUpdateAvailable.clear()
  return () => vi.useRealTimers()
})

const arrive = () => browser.runtime.onUpdateAvailable.fire({ version: '9.9.9' })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
/** Waits for a condition with a timeout that suits a busy machine. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 })

/**
 * Starts an extension with an undecided request as long as `open` is above 0, and approvals in progress as long as
 * `acting` is. A second start with the same session is a restarted worker.
 */
const start = (session: Store = memoryStore(), open = 0) => {
  const state = { open, acting: 0 }
  const keepRunning = createUpdates(session, {
    isActing: async () => state.acting > 0,
    isAsked: async () => state.open > 0,
  })
  return { state, session, keepRunning }
}

test('an update is installed at once if nothing is open', async () => {
  start()
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  await arrive()
  expect(world.reloads).toHaveLength(1)
})

test('an update waits until nothing is open, and is installed once', async () => {
  const { state } = start(undefined, 1)
  await arrive()
  await pass(20 * CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  state.open = 0
  await pass(20 * CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('an update waits as long as an approval is carried out, even longer than a day', async () => {
  const { state } = start(undefined, 1)
  await arrive()
  state.acting = 1
  await pass(2 * MAX_WAIT)
  expect(world.reloads).toHaveLength(0)
  state.acting = 0
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('an update waits at most a day for undecided requests, counted from the first request', async () => {
  start(undefined, 1)
  await arrive()
  await pass(MAX_WAIT / 2)
  await arrive()
  await pass(MAX_WAIT / 2 - CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('reads by sites do not delay an update', async () => {
  const { store } = await connectedWallet()
  const asked: string[] = []
  const { wallet } = startWallet({
    store,
    chain: (_network, method) => {
      asked.push(method)
      return new Promise(() => {})
    },
  })
  void wallet.request(SITE, { id: 'read', method: 'eth_blockNumber' })
  await eventually(() => expect(asked).toEqual(['eth_blockNumber']))
  createUpdates(memoryStore(), wallet)
  await arrive()
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('an update waits until an approved request is answered', async () => {
  const { store } = await connectedWallet()
  const node = startNode()
  let accept = () => {}
  const accepted = new Promise<void>(resolve => {
    accept = resolve
  })
  const { wallet, ask } = startWallet({
    store,
    chain: async (network, method, params) => {
      if (method === 'eth_sendRawTransaction') await accepted
      return node.chain(network, method, params)
    },
  })
  createUpdates(memoryStore(), wallet)
  const answer = ask('eth_sendTransaction', { from: ADDRESS, to: ADDRESS })
  await eventually(async () => expect([await wallet.isActing(), await wallet.isAsked()]).toEqual([true, false]))
  await arrive()
  await pass(5 * CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  accept()
  await answer
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('a restarted worker still knows that an update waits', async () => {
  const { session } = start(undefined, 1)
  await arrive()
  vi.clearAllTimers()
  const { state } = start(session, 1)
  await pass(2 * CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  state.open = 0
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('the worker is kept running while a request is open, and no longer', async () => {
  const called = vi.spyOn(browser.runtime, 'getPlatformInfo')
  const { state, keepRunning } = start(undefined, 1)
  keepRunning()
  await pass(5 * CHECK_INTERVAL)
  expect(called).toHaveBeenCalledTimes(5)
  state.open = 0
  await pass(5 * CHECK_INTERVAL)
  expect(called).toHaveBeenCalledTimes(6)
  expect(world.reloads).toHaveLength(0)
})

test('an update waits until the open request of a site is answered', async () => {
  const { store } = await connectedWallet()
  const { wallet } = startWallet({ store, person: undecided })
  createUpdates(memoryStore(), wallet)
  const answer = wallet.request(SITE, { id: 'open', method: 'personal_sign', params: ['0x00', ADDRESS] })
  await eventually(async () => expect((await wallet.ui.getState(null)).requests).toHaveLength(1))
  await arrive()
  await pass(5 * CHECK_INTERVAL)
  expect([await wallet.isAsked(), world.reloads.length]).toEqual([true, 0])

  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: request?.id ?? '', approve: true, revision: 0 })
  expect(await answer).toMatch(/^0x[0-9a-f]{130}$/)
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('a restarted worker is kept running by a request that was already open', async () => {
  const { store } = await connectedWallet()
  const { wallet } = startWallet({ store, person: undecided })
  void wallet.request(SITE, { id: 'open', method: 'personal_sign', params: ['0x00', ADDRESS] }).catch(() => undefined)
  await eventually(async () => expect((await wallet.ui.getState(null)).requests).toHaveLength(1))
  const restarted = startWallet({ store, person: undecided })
  expect(await restarted.wallet.isAsked()).toBe(true)
})
