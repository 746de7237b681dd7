/**
 * Measures the time from a page's request until everything in the approval window can be read and Reject can be
 * pressed. The quiet time of a second before Approve is not included. For comparison, the bare extension opens a window
 * with a button. Times are in ms.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { openedBy } from '../e2e/opened-pages.ts'
import { ADDRESS, useLocalChain } from '../e2e/person.ts'
import { callWallet } from '../e2e/wallet-page.ts'
import { knowNames } from './known-names.ts'
import { median, type Pair } from './round-trips.ts'
import type { Bench } from './wallet.ts'

/**
 * Times until everything in the approval window can be read and Reject can be pressed, compared with a window of the
 * bare extension.
 */
export type ApprovalFigures = Record<'signature' | 'transaction', Pair>

const SPENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const REQUESTS = {
  signature: { method: 'personal_sign', params: ['0x48656c6c6f', ADDRESS] },
  transaction: {
    method: 'eth_sendTransaction',
    params: [{ from: ADDRESS, to: SPENDER, value: '0x1', data: '0x' }],
  },
} as const

/**
 * Runs in every window from its start. `usable` resolves with the time, in ms since 1970, at which the window's button
 * was painted and could be pressed. The wallet's window draws Reject at the same time as the request.
 */
const WATCH = `globalThis.usable = new Promise(resolve => {
  const canPress = () => [...document.querySelectorAll('button')].some(
    ({ disabled, textContent }) => !disabled && /^(Reject|Nothing)/.test(textContent.trim()))
  const look = () => {
    if (canPress()) setTimeout(() => resolve(performance.timeOrigin + performance.now()))
    else requestAnimationFrame(look)
  }
  look()
})`

/**
 * A window that a request opened. `taken` is null if it was reloaded, because its clock then started with the reload.
 */
type TimedWindow = { window: Page; taken: number | null }

/** Runs `ask` in the page, which opens a window at `url`, and measures the window. */
const timeWindow = async (context: BrowserContext, site: Page, url: string, ask: string): Promise<TimedWindow> => {
  let began = 0
  const { page: window, isReloaded } = await openedBy(context, url, async () => {
    began = await site.evaluate<number>(`(() => {
      const began = performance.timeOrigin + performance.now()
      ${ask}
      return began
    })()`)
  })
  const ended = await window.evaluate<number>('usable')
  return { window, taken: isReloaded ? null : ended - began }
}

const closed = async (window: Page, close: () => Promise<unknown>) => {
  const gone = window.waitForEvent('close')
  await close()
  await gone
}

/** Returns the time of the first window that was not reloaded. Each window is closed before the next one opens. */
const timeOf = async (open: () => Promise<TimedWindow>, close: (window: Page) => Promise<unknown>): Promise<number> => {
  for (;;) {
    const { window, taken } = await open()
    await closed(window, () => close(window))
    if (taken !== null) return taken
  }
}

/** Approves the open request from another page of the wallet, which does not require the quiet time. */
const approve = async (home: Page, accounts: readonly string[] = []) => {
  const [request] = (await callWallet(home, 'getState', null)).result.requests
  if (!request) throw new Error('no request is pending')
  const { id, revision } = request
  await callWallet(home, 'decide', { id, revision, approve: true, accounts })
}

/**
 * Opens each kind of window `times` times. All pages that are opened afterwards watch for their buttons too, so this
 * measurement is the last.
 */
export const measureApproval = async (
  { context, site, base, rpcUrl }: Bench,
  times: number,
): Promise<ApprovalFigures> => {
  await knowNames(context)
  await context.addInitScript(WATCH)
  const home = await context.newPage()
  await home.goto(`${base.wallet}/popup.html`)
  await useLocalChain(home, rpcUrl)

  const askWallet = (request: object) =>
    timeWindow(context, site, `${base.wallet}/approval.html`, `void ethereum.request(${JSON.stringify(request)})`)
  const askBare = () =>
    timeWindow(
      context,
      site,
      `${base.bare}/page.html`,
      `postMessage({ source: 'bare:page', message: { method: 'open' } }, '*')`,
    )
  const connecting = await askWallet({ method: 'eth_requestAccounts' })
  await closed(connecting.window, () => approve(home, [ADDRESS.toLowerCase()]))

  const taken: Record<keyof typeof REQUESTS | 'bare', number[]> = { signature: [], transaction: [], bare: [] }
  for (let at = 0; at < times; at++) {
    taken.bare.push(await timeOf(askBare, window => window.close()))
    for (const kind of ['signature', 'transaction'] as const)
      taken[kind].push(
        await timeOf(
          () => askWallet(REQUESTS[kind]),
          () => approve(home),
        ),
      )
  }
  await home.close()
  const bare = median(taken.bare)
  return {
    signature: { wallet: median(taken.signature), bare },
    transaction: { wallet: median(taken.transaction), bare },
  }
}
