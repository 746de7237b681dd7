/** Pages that flood the wallet with requests, data or frames. It keeps running, and other sites are served meanwhile. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ACCOUNT, ASKER, type AttackedWallet, startAttackedWallet } from './attacked-wallet.ts'
import { callWallet } from './wallet-page.ts'

let wallet: AttackedWallet
let windows = 0

beforeAll(async () => {
  wallet = await startAttackedWallet(ASKER)
  wallet.person.context.on('page', opened => void (opened.url().includes('/approval.html') && windows++))
})
afterEach(() => wallet.rejectAll())
afterAll(() => wallet?.stop())

/** Counts how often another site is served until the attack ends. */
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

/** Number of requests by response. */
type Tally = Record<string, number>

/** Posts requests directly to the content script as fast as possible. `size` is the length of each request's text. */
const flood = (page: Page, method: string, count: number, size: number): Promise<Tally> =>
  page.evaluate(
    ({ method, count, size, account }) =>
      new Promise<Tally>(resolve => {
        const tally: Tally = {}
        Object.assign(window, { answered: 0 })
        let answered = 0
        addEventListener('message', ({ data }) => {
          const { id, error, result } = data?.source === 'heliograph:wallet' ? data.message : {}
          if (!String(id).startsWith('flood')) return
          const kind = error ? String(error.code) : result === undefined ? 'nothing' : 'result'
          tally[kind] = (tally[kind] ?? 0) + 1
          answered++
          Object.assign(window, { answered })
          if (answered === count) resolve(tally)
        })
        const params = method === 'personal_sign' ? [`text ${'x'.repeat(size)}`, account] : []
        for (let at = 0; at < count; at++)
          postMessage(
            { source: 'heliograph:page', message: { id: `flood ${at} ${Math.random()}`, method, params } },
            '*',
          )
      }),
    { method, count, size, account: ACCOUNT },
  )

test('10,000 requests in a loop open one window, and other sites are served meanwhile', async () => {
  const page = await wallet.openConnected('evil')
  const before = windows
  const tally = flood(page, 'personal_sign', 10_000, 10)
  const refused = expect.poll(async () => (await wallet.waiting()).length, { timeout: 30_000 }).toBe(20)
  const over = page.waitForFunction(() => Reflect.get(window, 'answered') >= 9_980, undefined, { timeout: 60_000 })
  expect(await servedDuring(Promise.all([refused, over]))).toBeGreaterThan(0)
  expect(windows - before).toBe(1)
  await wallet.rejectAll()
  expect(await tally).toEqual({ '4001': 20, '-32005': 9_980 })
  await page.close()
})

test('10,000 reads in a loop are answered, each once, and other sites are served meanwhile', async () => {
  const page = await wallet.openSite('evil')
  const tally = flood(page, 'eth_blockNumber', 10_000, 0)
  expect(await servedDuring(tally)).toBeGreaterThan(0)
  const { result = 0, '-32005': late = 0 } = await tally
  expect(result).toBeGreaterThan(0)
  expect(result + late).toBe(10_000)
  await page.close()
})

/** For 150 MB that a page posts and the worker refuses, in ms: much longer than it takes, since a busy machine is slow. */
const HEAVY = 180_000

test('large open requests delay no other site', { timeout: HEAVY }, async () => {
  const page = await wallet.openConnected('heavy')
  const large = flood(page, 'personal_sign', 20, 100_000)
  await expect.poll(async () => (await wallet.waiting()).length, { timeout: 30_000 }).toBeGreaterThan(5)
  const small = await wallet.openConnected('heavy')
  const over = flood(small, 'personal_sign', 500, 300_000)
  expect(await servedDuring(over)).toBeGreaterThan(5)
  expect(await over).toEqual({ '-32005': 500 })
  await wallet.rejectAll()
  const { '4001': shown = 0, '-32005': refused = 0 } = await large
  expect(shown + refused).toBe(20)
  await page.close()
  await small.close()
})

test('hundreds of frames of one page do not stop events to other sites', async () => {
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
  const told = wallet.good.evaluate(
    () =>
      new Promise(resolve => {
        const { ethereum } = window as unknown as {
          ethereum: { once(event: string, listener: (value: unknown) => void): void }
        }
        ethereum.once('chainChanged', resolve)
        setTimeout(() => resolve('nothing'), 10_000)
      }),
  )
  await callWallet(wallet.home, 'selectNetwork', { chainId: 1 })
  expect(await told).toBe('0x1')
  await callWallet(wallet.home, 'selectNetwork', { chainId: 31337 })
  await page.close()
})
