/**
 * Pages that flood the wallet with requests, data or frames. The wallet keeps running, and other sites still get
 * responses.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, ASKER, type AttackedWallet, startAttackedWallet } from './attacked-wallet.ts'
import { countPopups } from './popup-windows.ts'
import { callWallet } from './wallet-page.ts'

let wallet: AttackedWallet

beforeAll(async () => {
  wallet = await startAttackedWallet(ASKER)
})
afterEach(() => wallet.rejectAll())
afterAll(() => wallet?.stop())

/** Counts how often another site gets its responses until the attack ends. */
const servedDuring = async (worst: Promise<unknown>): Promise<number> => {
  let isOver = false
  const end = () => {
    isOver = true
  }
  worst.then(end, end)
  for (let times = 0; ; times++) {
    await wallet.othersAreServed()
    if (isOver) return times
  }
}

/** The number of requests by response. */
type Tally = Record<string, number>

/** A flood of requests. `size` is the length of each request's text, in characters. */
type Flood = { method: string; size: number; atOnce: number; count: number }

/**
 * Posts `atOnce` requests directly to the content script as fast as possible. After each response posts another one, up
 * to `count` in total.
 */
const startFlood = (page: Page, flood: Flood): Promise<Tally> =>
  page.evaluate(
    ({ method, size, atOnce, count, account }) =>
      new Promise<Tally>(resolve => {
        const tally: Tally = {}
        let most = count
        let posted = 0
        let answered = 0
        const endFlood = () => {
          most = posted
        }
        Object.assign(window, { answered, endFlood })
        const params = method === 'personal_sign' ? [`text ${'x'.repeat(size)}`, account] : []
        const post = () => {
          const id = `flood ${posted++} ${Math.random()}`
          postMessage({ source: 'heliograph:page', message: { id, method, params } }, '*')
        }
        addEventListener('message', ({ data }) => {
          const { id, error, result } = data?.source === 'heliograph:wallet' ? data.message : {}
          if (!String(id).startsWith('flood')) return
          const kind = error ? String(error.code) : result === undefined ? 'nothing' : 'result'
          tally[kind] = (tally[kind] ?? 0) + 1
          answered++
          Object.assign(window, { answered })
          if (posted < most) post()
          else if (answered === posted) resolve(tally)
        })
        for (let at = 0; at < atOnce; at++) post()
      }),
    { ...flood, account: ACCOUNT },
  )

/** Posts all requests at once. */
const flood = (page: Page, method: string, count: number, size: number): Promise<Tally> =>
  startFlood(page, { method, size, atOnce: count, count })

/** Stops posting new requests. The flood then resolves once all of its requests have responses. */
const endFlood = (page: Page): Promise<void> => page.evaluate(() => Reflect.get(window, 'endFlood')())

test('10,000 requests in a loop open one window, and other sites still get responses', async () => {
  const page = await wallet.openConnected('evil')
  const windows = await countPopups(wallet.home)
  const tally = flood(page, 'personal_sign', 10_000, 10)
  const refused = expect.poll(async () => (await wallet.waiting()).length, { timeout: 30_000 }).toBe(20)
  const over = page.waitForFunction(() => Reflect.get(window, 'answered') >= 9_980, undefined, { timeout: 60_000 })
  expect(await servedDuring(Promise.all([refused, over]))).toBeGreaterThan(0)
  await expect.poll(windows).toBe(1)
  await wallet.rejectAll()
  expect(await tally).toEqual({ '4001': 20, '-32005': 9_980 })
  expect(await windows()).toBe(1)
  await page.close()
})

test('10,000 reads in a loop get one response each, and other sites still get responses', async () => {
  const page = await wallet.openSite('evil')
  const tally = flood(page, 'eth_blockNumber', 10_000, 0)
  expect(await servedDuring(tally)).toBeGreaterThan(0)
  const { result = 0, '-32005': late = 0 } = await tally
  expect(result).toBeGreaterThan(0)
  expect(result + late).toBe(10_000)
  await page.close()
})

/**
 * Time limit in ms for a page that posts hundreds of megabytes, which the worker refuses. Even a busy machine needs far
 * less.
 */
const HEAVY = 300_000

test('large open requests delay no other site', { timeout: HEAVY }, async () => {
  const page = await wallet.openConnected('heavy')
  const large = flood(page, 'personal_sign', 20, 100_000)
  await expect.poll(async () => (await wallet.waiting()).length, { timeout: 30_000 }).toBeGreaterThan(5)
  const small = await wallet.openConnected('heavy')
  const over = startFlood(small, {
    method: 'personal_sign',
    size: 300_000,
    atOnce: 500,
    count: Number.POSITIVE_INFINITY,
  })
  await small.waitForFunction(() => Reflect.get(window, 'answered') > 0, undefined, { timeout: 60_000 })
  for (let times = 0; times < 6; times++) await wallet.othersAreServed()
  await endFlood(small)
  const { '-32005': many = 0, ...others } = await over
  expect(many).toBeGreaterThanOrEqual(500)
  expect(others).toEqual({})
  await wallet.rejectAll()
  const { '4001': shown = 0, '-32005': refused = 0 } = await large
  expect(shown + refused).toBe(20)
  await page.close()
  await small.close()
})

test('hundreds of frames in one page do not stop events to other sites', async () => {
  const page = await wallet.openSite('evil')
  await page.evaluate(async () => {
    const frames = Array.from({ length: 550 }, () => {
      const frame = document.createElement('iframe')
      frame.src = '/asker'
      return frame
    })
    const loaded = frames.map(frame => new Promise(resolve => frame.addEventListener('load', resolve)))
    document.body.append(...frames)
    await Promise.all(loaded)
    const ask = (frame: HTMLIFrameElement) =>
      Reflect.get(frame.contentWindow ?? {}, 'ethereum').request({ method: 'eth_chainId' })
    await Promise.allSettled(frames.map(ask))
  })
  const told = await wallet.good.evaluateHandle(() => {
    const chains: unknown[] = []
    const { ethereum } = window as unknown as {
      ethereum: { on(event: string, listener: (value: unknown) => void): void }
    }
    ethereum.on('chainChanged', chainId => chains.push(chainId))
    return chains
  })
  await callWallet(wallet.home, 'selectNetwork', { chainId: 1 })
  await expect.poll(() => told.jsonValue()).toEqual(['0x1'])
  await callWallet(wallet.home, 'selectNetwork', { chainId: 31337 })
  await page.close()
})
