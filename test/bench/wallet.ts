/**
 * Latency for a site: the wallet compared with an extension that only echoes messages, alternately in one page.
 * Times are in ms.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { PASSWORD, PHRASE } from '../e2e/person.ts'
import { callWallet } from '../e2e/wallet-page.ts'
import { startWeb } from '../e2e/web.ts'
import { startAnvil } from '../support/anvil.ts'
import { builtExtension } from '../support/build.ts'
import { openChromium } from '../support/chromium.ts'
import { measureApproval } from './approval.ts'
import { writeBareExtension } from './bare-extension.ts'
import { knowNames } from './known-names.ts'

/** Medians of the wallet and of the bare extension. */
export type Pair = { wallet: number; bare: number }

export type WalletFigures = {
  /** A page's request and its response while the worker runs. */
  roundTrip: Pair
  /** The same with a stopped worker. */
  cold: Pair
  /**
   * With one account and with `accounts`: a round trip, loading the state of the wallet's pages, and drawing its home.
   */
  many: { accounts: number; roundTrip: [one: number, all: number]; state: [number, number]; home: [number, number] }
  popup: PopupFigures
  /** The approval window until everything can be read and rejected, and a window of the bare extension. */
  approval: { signature: Pair; transaction: Pair }
}

/** The wallet's popup until it can be used, and a page of the bare extension, with the worker running and stopped. */
export type PopupFigures = { warm: Pair; cold: Pair }

export type Effort = { roundTrips: number; coldStarts: number; accounts: number }

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

type Extension = keyof Pair
const workers: Record<Extension, string> = { wallet: 'background.js', bare: 'echo.js' }

/** Runs in the site's page: times `count` requests of each kind, one after the other. */
const PAGE = `<script>
  const echo = () =>
    new Promise(resolve => {
      const id = Math.random()
      const hear = ({ data }) => {
        if (data?.source !== 'bare:answer' || data.message.id !== id) return
        removeEventListener('message', hear)
        resolve()
      }
      addEventListener('message', hear)
      postMessage({ source: 'bare:page', message: { id, method: 'eth_chainId' } }, '*')
    })
  const ask = { wallet: () => ethereum.request({ method: 'eth_chainId' }), bare: echo }
  const timeInTurns = async (kinds, times) => {
    const taken = { wallet: [], bare: [] }
    for (let at = 0; at < times; at++)
      for (const kind of kinds) {
        const began = performance.now()
        await ask[kind]()
        taken[kind].push(performance.now() - began)
      }
    return taken
  }
</script>`

const timeInTurns = (page: Page, kinds: readonly Extension[], times: number): Promise<Record<Extension, number[]>> =>
  page.evaluate(`timeInTurns(${JSON.stringify(kinds)}, ${times})`)

const kill = async (context: BrowserContext, page: Page, extension: Extension) => {
  const session = await context.newCDPSession(page)
  const { targetInfos } = await session.send('Target.getTargets')
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url.endsWith(workers[extension]))
  if (!worker) throw new Error(`the worker of ${extension} does not run`)
  await session.send('Target.closeTarget', { targetId: worker.targetId })
  await session.detach()
}

const both: readonly Extension[] = ['wallet', 'bare']
const WARM_UP = 50

const measureRoundTrips = async (page: Page, times: number): Promise<Pair> => {
  await timeInTurns(page, both, WARM_UP)
  const { wallet, bare } = await timeInTurns(page, both, times)
  return { wallet: median(wallet), bare: median(bare) }
}

const measureColdStarts = async (context: BrowserContext, page: Page, times: number): Promise<Pair> => {
  const taken: Record<Extension, number[]> = { wallet: [], bare: [] }
  for (let at = 0; at < times; at++)
    for (const extension of both) {
      await kill(context, page, extension)
      taken[extension].push(...(await timeInTurns(page, [extension], 1))[extension])
    }
  return { wallet: median(taken.wallet), bare: median(taken.bare) }
}

const TIMES = 9

const repeatedly = async (time: () => Promise<number>): Promise<number> => {
  const taken: number[] = []
  for (let at = 0; at < TIMES; at++) taken.push(await time())
  return median(taken)
}

/** The time from navigation until a button of the page can be pressed and was painted. */
const timeToButton = async (page: Page, url: string, selector: string): Promise<number> => {
  const began = Date.now()
  await page.goto(url, { waitUntil: 'commit' })
  const ended = await page.evaluate(
    selector =>
      new Promise<number>(resolve => {
        const look = () => {
          if (document.querySelector(selector)) setTimeout(() => resolve(performance.timeOrigin + performance.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    selector,
  )
  return ended - began
}

const measurePopup = async (context: BrowserContext, own: string, bare: string): Promise<PopupFigures> => {
  const page = await context.newPage()
  await knowNames(page)
  const openWallet = () => timeToButton(page, `${own}/popup.html`, 'button.acct')
  const openBare = () => timeToButton(page, `${bare}/page.html`, 'button')
  const taken = { warm: { wallet: [], bare: [] }, cold: { wallet: [], bare: [] } } as Record<
    keyof PopupFigures,
    Record<Extension, number[]>
  >
  await openWallet()
  for (let at = 0; at < TIMES; at++) {
    taken.warm.bare.push(await openBare())
    taken.warm.wallet.push(await openWallet())
    taken.cold.bare.push(await openBare())
    await kill(context, page, 'wallet')
    taken.cold.wallet.push(await openWallet())
  }
  await page.close()
  const pairOf = ({ wallet, bare }: Record<Extension, number[]>): Pair => ({
    wallet: median(wallet),
    bare: median(bare),
  })
  return { warm: pairOf(taken.warm), cold: pairOf(taken.cold) }
}

const measureAccounts = async (context: BrowserContext, site: Page, base: string, accounts: number) => {
  const page = await context.newPage()
  await knowNames(page)
  const url = `${base}/popup.html`
  await page.goto(`${base}/onboarding.html`)
  await callWallet(page, 'createVault', { password: PASSWORD, phrase: PHRASE })
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const drawHome = async () => {
    await page.goto(url)
    await page.getByRole('button', { name: /^Switch account/ }).waitFor()
  }
  const measure = async () => ({
    roundTrip: median((await timeInTurns(site, ['wallet'], 200)).wallet),
    home: await repeatedly(() => timed(drawHome)),
    state: await repeatedly(() => timed(() => callWallet(page, 'getState', null))),
  })
  const one = await measure()
  for (let at = 2; at <= accounts; at++) await callWallet(page, 'addAccount', { name: `Account ${at}` })
  const all = await measure()
  return {
    accounts,
    roundTrip: [one.roundTrip, all.roundTrip] as [number, number],
    state: [one.state, all.state] as [number, number],
    home: [one.home, all.home] as [number, number],
  }
}

export const measureWallet = async ({ roundTrips, coldStarts, accounts }: Effort): Promise<WalletFigures> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bare-'))
  const web = await startWeb({ '/': PAGE })
  const bare = await writeBareExtension(join(folder, 'extension'))
  const extension = `${await builtExtension()},${bare}`
  const context = await openChromium({ extension, profile: join(folder, 'profile'), headless: true })
  const anvil = await startAnvil()
  try {
    const page = await context.newPage()
    await page.goto(web.origin('site'))
    const roundTrip = await measureRoundTrips(page, roundTrips)
    const cold = await measureColdStarts(context, page, coldStarts)
    const baseOf = (extension: Extension) => {
      const worker = context.serviceWorkers().find(one => one.url().endsWith(workers[extension]))
      return `chrome-extension://${new URL(String(worker?.url())).host}`
    }
    const many = await measureAccounts(context, page, baseOf('wallet'), accounts)
    const popup = await measurePopup(context, baseOf('wallet'), baseOf('bare'))
    const rpcUrl = anvil.url
    const windows = await measureApproval(context, page, { own: baseOf('wallet'), times: TIMES, rpcUrl })
    const bareWindow = median(windows.bare)
    const approval = {
      signature: { wallet: median(windows.signature), bare: bareWindow },
      transaction: { wallet: median(windows.transaction), bare: bareWindow },
    }
    return { roundTrip, cold, many, popup, approval }
  } finally {
    await context.close()
    await anvil.stop()
    await web.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
