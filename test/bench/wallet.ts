/**
 * Measures the latency for a site: the wallet alternates in one page with an extension that only echoes messages. Times
 * are in ms.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { welcomePage } from '../e2e/opened-pages.ts'
import { startWeb } from '../e2e/web.ts'
import { startAnvil } from '../support/anvil.ts'
import { releasedExtension } from '../support/build.ts'
import { openChromium } from '../support/chromium.ts'
import { removeProfile } from '../support/profile.ts'
import { type AccountsFigures, measureAccounts } from './accounts.ts'
import { measureApproval } from './approval.ts'
import { writeBareExtension } from './bare-extension.ts'
import { knowNames } from './known-names.ts'
import {
  both,
  type Extension,
  measureRoundTrips,
  median,
  mediansOf,
  PAGE,
  type Pair,
  type Taken,
  TIMES,
  timeInTurns,
} from './round-trips.ts'

export type WalletFigures = {
  /** From a page's request to its response, while the worker runs. */
  roundTrip: Pair
  /** From a page's request to its response, with a stopped worker. */
  cold: Pair
  many: AccountsFigures
  popup: PopupFigures
  /**
   * Until everything in the approval window can be read and Reject can be pressed, compared with a window of the bare
   * extension.
   */
  approval: { signature: Pair; transaction: Pair }
}

/**
 * Until the wallet's popup can be used, compared with a page of the bare extension, with the worker running and
 * stopped.
 */
export type PopupFigures = { warm: Pair; cold: Pair }

export type Effort = { roundTrips: number; coldStarts: number; accounts: number }

const workers: Record<Extension, string> = { wallet: 'background.js', bare: 'echo.js' }

const kill = async (context: BrowserContext, page: Page, extension: Extension) => {
  const session = await context.newCDPSession(page)
  const { targetInfos } = await session.send('Target.getTargets')
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url.endsWith(workers[extension]))
  if (!worker) throw new Error(`the worker of ${extension} is not running`)
  await session.send('Target.closeTarget', { targetId: worker.targetId })
  await session.detach()
}

const measureColdStarts = async (context: BrowserContext, page: Page, times: number): Promise<Pair> => {
  const taken: Taken = { wallet: [], bare: [] }
  for (let at = 0; at < times; at++)
    for (const extension of both) {
      await kill(context, page, extension)
      taken[extension].push(...(await timeInTurns(page, [extension], 1))[extension])
    }
  return mediansOf(taken)
}

/** Returns the time from navigation until a button of the page can be pressed and has been painted. */
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

const measurePopup = async (context: BrowserContext, base: Record<Extension, string>): Promise<PopupFigures> => {
  const page = await context.newPage()
  await knowNames(page)
  const openWallet = () => timeToButton(page, `${base.wallet}/popup.html`, 'button.acct')
  const openBare = () => timeToButton(page, `${base.bare}/page.html`, 'button')
  const taken: Record<keyof PopupFigures, Taken> = { warm: { wallet: [], bare: [] }, cold: { wallet: [], bare: [] } }
  await openWallet()
  for (let at = 0; at < TIMES; at++) {
    taken.warm.bare.push(await openBare())
    taken.warm.wallet.push(await openWallet())
    taken.cold.bare.push(await openBare())
    await kill(context, page, 'wallet')
    taken.cold.wallet.push(await openWallet())
  }
  await page.close()
  return { warm: mediansOf(taken.warm), cold: mediansOf(taken.cold) }
}

export const measureWallet = async ({ roundTrips, coldStarts, accounts }: Effort): Promise<WalletFigures> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bare-'))
  const web = await startWeb({ '/': PAGE })
  const bare = await writeBareExtension(join(folder, 'extension'))
  const extension = `${await releasedExtension()},${bare}`
  const context = await openChromium({ extension, profile: join(folder, 'profile'), headless: true })
  const anvil = await startAnvil()
  try {
    // An open page of the wallet would start its stopped worker again.
    await (await welcomePage(context)).close()
    const page = await context.newPage()
    await page.goto(web.origin('site'))
    const roundTrip = await measureRoundTrips(page, roundTrips)
    const cold = await measureColdStarts(context, page, coldStarts)
    const baseOf = (extension: Extension) => {
      const worker = context.serviceWorkers().find(one => one.url().endsWith(workers[extension]))
      return `chrome-extension://${new URL(String(worker?.url())).host}`
    }
    const base = { wallet: baseOf('wallet'), bare: baseOf('bare') }
    const many = await measureAccounts(context, page, base, accounts)
    const popup = await measurePopup(context, base)
    const windows = await measureApproval(context, page, { base, times: TIMES, rpcUrl: anvil.url })
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
    await removeProfile(folder)
  }
}
