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
import { writeBareExtension } from './bare-extension.ts'
import { knowNames } from './known-names.ts'
import { both, type Extension, mediansOf, PAGE, type Pair, type Taken, timeInTurns } from './round-trips.ts'

/** A browser with the released wallet and the bare extension. */
export type Bench = {
  context: BrowserContext
  /** A page of a site, with the script of `PAGE`. */
  site: Page
  /** URLs of the extensions. */
  base: Record<Extension, string>
  /** A local node. */
  rpcUrl: string
}

/**
 * Until the wallet's popup can be used, compared with a page of the bare extension, with the worker running and
 * stopped.
 */
export type PopupFigures = { warm: Pair; cold: Pair }

const workers: Record<Extension, string> = { wallet: 'background.js', bare: 'echo.js' }

const kill = async (context: BrowserContext, page: Page, extension: Extension) => {
  const session = await context.newCDPSession(page)
  const { targetInfos } = await session.send('Target.getTargets')
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url.endsWith(workers[extension]))
  if (!worker) throw new Error(`the worker of ${extension} is not running`)
  await session.send('Target.closeTarget', { targetId: worker.targetId })
  await session.detach()
}

/** Measures from a page's request to its response, with a stopped worker. */
export const measureColdStarts = async ({ context, site }: Bench, times: number): Promise<Pair> => {
  const taken: Taken = { wallet: [], bare: [] }
  for (let at = 0; at < times; at++)
    for (const extension of both) {
      await kill(context, site, extension)
      taken[extension].push(...(await timeInTurns(site, [extension], 1))[extension])
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

export const measurePopup = async ({ context, base }: Bench, times: number): Promise<PopupFigures> => {
  const page = await context.newPage()
  await knowNames(page)
  const openWallet = () => timeToButton(page, `${base.wallet}/popup.html`, 'button.acct')
  const openBare = () => timeToButton(page, `${base.bare}/page.html`, 'button')
  const taken: Record<keyof PopupFigures, Taken> = { warm: { wallet: [], bare: [] }, cold: { wallet: [], bare: [] } }
  await openWallet()
  for (let at = 0; at < times; at++) {
    taken.warm.bare.push(await openBare())
    taken.warm.wallet.push(await openWallet())
    taken.cold.bare.push(await openBare())
    await kill(context, page, 'wallet')
    taken.cold.wallet.push(await openWallet())
  }
  await page.close()
  return { warm: mediansOf(taken.warm), cold: mediansOf(taken.cold) }
}

/** Runs the measurements in a new browser. */
export const withBothExtensions = async <T>(measure: (bench: Bench) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bare-'))
  const web = await startWeb({ '/': PAGE })
  const bare = await writeBareExtension(join(folder, 'extension'))
  const extension = `${await releasedExtension()},${bare}`
  const context = await openChromium({ extension, profile: join(folder, 'profile'), headless: true })
  const anvil = await startAnvil()
  try {
    // An open page of the wallet would start its stopped worker again.
    await (await welcomePage(context)).close()
    const site = await context.newPage()
    await site.goto(web.origin('site'))
    // Starts both workers.
    await timeInTurns(site, both, 1)
    const baseOf = (extension: Extension) => {
      const worker = context.serviceWorkers().find(one => one.url().endsWith(workers[extension]))
      return `chrome-extension://${new URL(String(worker?.url())).host}`
    }
    const base = { wallet: baseOf('wallet'), bare: baseOf('bare') }
    return await measure({ context, site, base, rpcUrl: anvil.url })
  } finally {
    await context.close()
    await anvil.stop()
    await web.stop()
    await removeProfile(folder)
  }
}
