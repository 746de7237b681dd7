import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { CHEAP, createSeenPrices, MOST_UNSEEN } from './seen-prices.ts'

const GWEI = 1_000_000_000n
const CHAIN = 1

const start = () => {
  const clock = { time: 1_700_000_000_000 }
  const store = memoryStore()
  const prices = createSeenPrices(store, () => clock.time)
  return { clock, store, check: (gwei: bigint) => prices.check(CHAIN, gwei * GWEI) }
}

test("a network's first price is plausible up to an absolute limit", async () => {
  expect(await start().check(50n)).toEqual({ believed: 50n * GWEI, jumpedFrom: null })
  expect((await start().check(100_000n)).believed).toBe(MOST_UNSEEN)
})

test('a price that base fees cannot have reached since the last one is a jump', async () => {
  const { clock, check } = start()
  await check(10n)
  expect(await check(20n)).toEqual({ believed: 20n * GWEI, jumpedFrom: null })
  expect(await check(21n)).toEqual({ believed: 20n * GWEI, jumpedFrom: { price: 10n * GWEI, at: clock.time } })
})

test('after a long time, at most ten times the last price is plausible', async () => {
  const { clock, check } = start()
  await check(10n)
  const before = clock.time
  clock.time += 30 * 24 * 60 * 60 * 1_000
  const checked = await check(1_000n)
  expect(checked.jumpedFrom).toEqual({ price: 10n * GWEI, at: before })
  expect(checked.believed / GWEI).toBe(105n)
})

test('frequent requests do not raise the plausible price faster', async () => {
  const { clock, check } = start()
  await check(10n)
  for (let asked = 0; asked < 1_000; asked++) {
    clock.time += 1
    await check(10_000n)
  }
  expect((await check(10_000n)).believed).toBeLessThanOrEqual(20n * GWEI)
})

test('a constant price becomes plausible within minutes', async () => {
  const { clock, check } = start()
  await check(10n)
  for (let asked = 0; asked < 4; asked++) {
    clock.time += 60_000
    await check(10_000n)
  }
  expect(await check(10_000n)).toEqual({ believed: 10_000n * GWEI, jumpedFrom: null })
})

test('a price that falls is recorded at once, and cheap prices never jump', async () => {
  const { check } = start()
  await check(100n)
  await check(0n)
  expect(await check(1n)).toEqual({ believed: CHEAP, jumpedFrom: null })
})

test('each network has its own price, also after a restart of the worker', async () => {
  const { clock, store, check } = start()
  await check(10n)
  const next = createSeenPrices(store, () => clock.time)
  expect((await next.check(2, 500n * GWEI)).jumpedFrom).toBeNull()
  expect((await next.check(CHAIN, 500n * GWEI)).jumpedFrom).not.toBeNull()
})

test('a clock that was set back changes nothing', async () => {
  const { clock, check } = start()
  await check(10n)
  clock.time -= 1_000_000
  expect((await check(500n)).believed).toBe(20n * GWEI)
})
