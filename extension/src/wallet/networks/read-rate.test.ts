import { expect, test } from 'vitest'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { createReadRate, READ_BURST, READS_PER_SECOND } from './read-rate.ts'

/** Creates a rate limiter with a manual clock. Each call returns its delay in ms. */
const start = () => {
  const clock = { now: 5_000 }
  const pauses: number[] = []
  const rate = createReadRate(
    () => clock.now,
    async ms => void pauses.push(ms),
  )
  const waits = async (count: number, origin = SITE) => {
    pauses.length = 0
    for (let at = 0; at < count; at++) await rate(origin)
    return pauses.splice(0)
  }
  return { clock, waits }
}

test('allows a burst of 50 reads, then 10 per second', async () => {
  const { waits } = start()
  expect(await waits(50)).toEqual([])
  expect(await waits(10)).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000])
})

test('tokens refill over time up to the burst', async () => {
  const { clock, waits } = start()
  await waits(READ_BURST)
  clock.now += 1_000
  expect(await waits(READS_PER_SECOND)).toEqual([])
  expect(await waits(1)).toEqual([100])
  clock.now += 3_600_000
  expect(await waits(READ_BURST)).toEqual([])
  expect(await waits(1)).toEqual([100])
})

test('each origin has its own bucket', async () => {
  const { waits } = start()
  await waits(READ_BURST + 5)
  expect(await waits(READ_BURST, OTHER_SITE)).toEqual([])
})

test('only origins with a full bucket are dropped', async () => {
  const { clock, waits } = start()
  for (let at = 0; at < 1_000; at++) await waits(1, `https://site${at}.example`)
  clock.now += 100
  await waits(READ_BURST)
  await waits(1, OTHER_SITE)
  expect(await waits(1)).toEqual([100])
})
