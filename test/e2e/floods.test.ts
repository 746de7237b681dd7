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

/** The number of requests by response. */
type Tally = Record<string, number>

/** A flood of requests. `size` is the length of each request's text, in characters. */
type Flood = { method: string; size: number; atOnce: number; count?: number }

/**
 * Posts `atOnce` requests directly to the content script as fast as possible. After each response posts another one, up
 * to `count` in total, or until `serveDuringFlood` ends the flood. Resolves once all requests have responses.
 */
const startFlood = (page: Page, flood: Flood): Promise<Tally> =>
  page.evaluate(
    ({ method, size, atOnce, count, account }) =>
      new Promise<Tally>(resolve => {
        const tally: Tally = {}
        let most = count ?? Number.POSITIVE_INFINITY
        let posted = 0
        let answered = 0
        const endFlood = () => {
          most = posted
          return posted
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

/** Ends the page's flood after another site has got its responses several times. Returns the number of its requests. */
const serveDuringFlood = async (page: Page): Promise<number> => {
  await page.waitForFunction(() => Reflect.get(window, 'answered') > 0, undefined, { timeout: 60_000 })
  for (let times = 0; times < 3; times++) await wallet.othersAreServed()
  return page.evaluate(() => Reflect.get(window, 'endFlood')())
}

const waitingRequests = async (): Promise<number> => (await wallet.waiting()).length

test('a flood of requests opens one window, and other sites still get responses', async () => {
  const page = await wallet.openConnected('evil')
  const windows = await countPopups(wallet.home)
  const tally = startFlood(page, { method: 'personal_sign', size: 10, atOnce: 300 })
  const posted = await serveDuringFlood(page)
  await page.waitForFunction(count => Reflect.get(window, 'answered') === count, posted - 20, { timeout: 60_000 })
  expect(await waitingRequests()).toBe(20)
  await expect.poll(windows).toBe(1)
  await wallet.rejectAll()
  expect(await tally).toEqual({ '4001': 20, '-32005': posted - 20 })
  expect(await windows()).toBe(1)
  await page.close()
})

test('in a flood of reads every read gets its response, and other sites still get responses', async () => {
  const page = await wallet.openSite('evil')
  const tally = startFlood(page, { method: 'eth_blockNumber', size: 0, atOnce: 300 })
  const posted = await serveDuringFlood(page)
  expect(await tally).toEqual({ result: posted })
  await page.close()
})

test('large open requests delay no other site', async () => {
  const page = await wallet.openConnected('heavy')
  const large = startFlood(page, { method: 'personal_sign', size: 100_000, atOnce: 20, count: 20 })
  await expect.poll(waitingRequests, { timeout: 30_000 }).toBeGreaterThan(5)
  const small = await wallet.openConnected('heavy')
  const over = startFlood(small, { method: 'personal_sign', size: 300_000, atOnce: 30 })
  await serveDuringFlood(small)
  const { '-32005': many = 0, ...others } = await over
  expect(many).toBeGreaterThanOrEqual(30)
  expect(others).toEqual({})
  await wallet.rejectAll()
  const { '4001': shown = 0, '-32005': refused = 0 } = await large
  expect(shown + refused).toBe(20)
  await page.close()
  await small.close()
})

/** More frames than the wallet sends events to in one tab. */
const FRAMES = 60

test('many frames in one page do not stop events to other sites', async () => {
  const page = await wallet.openSite('evil')
  await page.evaluate(async length => {
    const frames = Array.from({ length }, () => {
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
  }, FRAMES)
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
