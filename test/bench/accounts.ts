/** Measures by how much a wallet with many accounts slows down a site and the wallet's pages. Times are in ms. */
import type { BrowserContext, Page } from 'playwright-core'
import { PASSWORD, PHRASE } from '../e2e/person.ts'
import { callWallet } from '../e2e/wallet-page.ts'
import { knowNames } from './known-names.ts'
import { type Extension, measureRoundTrips, median, mediansOf, type Pair, type Taken, TIMES } from './round-trips.ts'

/** Times with one account and with `accounts` accounts. */
export type AccountsFigures = {
  accounts: number
  roundTrip: [one: Pair, all: Pair]
  /** Time to load the state for the wallet's pages. */
  state: [one: number, all: number]
  /** Time to draw the wallet's home, and a page of the bare extension. */
  home: [one: Pair, all: Pair]
}

const repeatedly = async (time: () => Promise<number>): Promise<number> => {
  const taken: number[] = []
  for (let at = 0; at < TIMES; at++) taken.push(await time())
  return median(taken)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Creates the wallet of the development phrase and adds accounts. Compares each time with the bare extension's time in
 * the same phase, because the machine can be busier in the second phase. `site` has the script of `PAGE`.
 */
export const measureAccounts = async (
  context: BrowserContext,
  site: Page,
  base: Record<Extension, string>,
  accounts: number,
): Promise<AccountsFigures> => {
  const page = await context.newPage()
  await knowNames(page)
  await page.goto(`${base.wallet}/onboarding.html`)
  await callWallet(page, 'createVault', { password: PASSWORD, phrase: PHRASE })
  const draw = async (url: string, button: RegExp) => {
    await page.goto(url)
    await page.getByRole('button', { name: button }).waitFor()
  }
  const drawInTurns = async (): Promise<Pair> => {
    const taken: Taken = { wallet: [], bare: [] }
    // The wallet is measured last in each round, because its page makes the calls of the next phase.
    for (let at = 0; at < TIMES; at++) {
      taken.bare.push(await timed(() => draw(`${base.bare}/page.html`, /^Nothing$/)))
      taken.wallet.push(await timed(() => draw(`${base.wallet}/popup.html`, /^Switch account/)))
    }
    return mediansOf(taken)
  }
  const measure = async () => ({
    roundTrip: await measureRoundTrips(site, 200),
    home: await drawInTurns(),
    state: await repeatedly(() => timed(() => callWallet(page, 'getState', null))),
  })
  const one = await measure()
  for (let at = 2; at <= accounts; at++) await callWallet(page, 'addAccount', { name: `Account ${at}` })
  const all = await measure()
  return {
    accounts,
    roundTrip: [one.roundTrip, all.roundTrip],
    state: [one.state, all.state],
    home: [one.home, all.home],
  }
}
