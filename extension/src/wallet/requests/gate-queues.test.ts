import { expect, test } from 'vitest'
import { OTHER_SITE, SITE } from '../wallet.fixture.ts'
import { createSiteQueues, MAX_CONCURRENT, MAX_QUEUED } from './gate.ts'

/** Creates tasks that the test completes, and records the order in which they start. */
const start = () => {
  const inQueue = createSiteQueues()
  const begun: { name: number; end(): void }[] = []
  const work = (name: number, origin = SITE) =>
    inQueue(origin, () => new Promise<number>(resolve => begun.push({ name, end: () => resolve(name) })))
  return { inQueue, begun, work }
}

test("a limited number of a site's tasks run concurrently, and the others follow in order", async () => {
  const { begun, work } = start()
  const all = Array.from({ length: MAX_CONCURRENT + 2 }, (_, name) => work(name))
  await expect.poll(() => begun.length).toBe(MAX_CONCURRENT)
  begun[3]?.end()
  expect(await all[3]).toBe(3)
  await expect.poll(() => begun.at(-1)?.name).toBe(MAX_CONCURRENT)
  for (let at = 0; at < MAX_CONCURRENT + 2; at++) {
    await expect.poll(() => begun[at]).toBeDefined()
    begun[at]?.end()
  }
  expect(await Promise.all(all)).toEqual(all.map((_, name) => name))
})

test("a site's full queue does not delay other sites, and its next task is -32005", async () => {
  const { begun, work } = start()
  const all = Array.from({ length: MAX_CONCURRENT + MAX_QUEUED }, (_, name) => work(name))
  await expect(work(0)).rejects.toMatchObject({ code: -32005 })
  const other = work(7, OTHER_SITE)
  await expect.poll(() => begun.length).toBe(MAX_CONCURRENT + 1)
  begun.at(-1)?.end()
  expect(await other).toBe(7)
  expect(all).toHaveLength(MAX_CONCURRENT + MAX_QUEUED)
})

test('a failed task lets the next one start', async () => {
  const { inQueue } = start()
  const fail = () => inQueue(SITE, async () => Promise.reject(new Error('broken')))
  for (let i = 0; i < 2 * MAX_CONCURRENT; i++) await expect(fail()).rejects.toThrow('broken')
  expect(await inQueue(SITE, async () => 'fine')).toBe('fine')
})
