import { beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, type Store } from '../wallet/storage/store.ts'
import { ADDRESS, connectedWallet, SITE, startWallet, undecided } from '../wallet/wallet.fixture.ts'
import browser, { world } from './browser.fixture.ts'
import { CHECK_INTERVAL, createUpdates } from './updates.ts'

vi.mock('./api.ts', () => import('./browser.fixture.ts'))

beforeEach(() => {
  vi.useFakeTimers()
  world.reloads.length = 0
  browser.runtime.onUpdateAvailable.clear()
  return () => vi.useRealTimers()
})

const arrive = () => browser.runtime.onUpdateAvailable.fire({ version: '9.9.9' })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** An extension that is busy as long as `open` is above 0. A second start with the same session is a restarted worker. */
const start = (session: Store = memoryStore(), open = 0) => {
  const state = { open }
  const keepRunning = createUpdates(session, async () => state.open > 0)
  return { state, session, keepRunning }
}

test('an update is installed at once if nothing is open', async () => {
  start()
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  await arrive()
  expect(world.reloads).toHaveLength(1)
})

test('an update waits for the end of what is open, and is installed once', async () => {
  const { state } = start(undefined, 1)
  await arrive()
  await pass(20 * CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(0)
  state.open = 0
  await pass(20 * CHECK_INTERVAL)
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
  createUpdates(memoryStore(), wallet.isBusy)
  const answer = wallet.request(SITE, { id: 'open', method: 'personal_sign', params: ['0x00', ADDRESS] })
  await vi.waitFor(async () => expect((await wallet.ui.getState(null)).requests).toHaveLength(1))
  await arrive()
  await pass(5 * CHECK_INTERVAL)
  expect([await wallet.isBusy(), world.reloads.length]).toEqual([true, 0])

  const [request] = (await wallet.ui.getState(null)).requests
  await wallet.ui.decide({ id: request?.id ?? '', approve: true, revision: 0 })
  expect(await answer).toMatch(/^0x[0-9a-f]{130}$/)
  await pass(CHECK_INTERVAL)
  expect(world.reloads).toHaveLength(1)
})

test('a restarted worker is busy with a request that it finds open', async () => {
  const { store } = await connectedWallet()
  const { wallet } = startWallet({ store, person: undecided })
  void wallet.request(SITE, { id: 'open', method: 'personal_sign', params: ['0x00', ADDRESS] }).catch(() => undefined)
  await vi.waitFor(async () => expect((await wallet.ui.getState(null)).requests).toHaveLength(1))
  const restarted = startWallet({ store, person: undecided })
  expect(await restarted.wallet.isBusy()).toBe(true)
})
