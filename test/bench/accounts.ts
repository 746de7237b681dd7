/** Measures by how much a wallet with many accounts slows down a site and the wallet's pages. Times are in ms. */
import { PASSWORD, PHRASE } from '../e2e/person.ts'
import { callWallet } from '../e2e/wallet-page.ts'
import { knowNames } from './known-names.ts'
import { measureRoundTrips, median, mediansOf, type Pair, type Taken } from './round-trips.ts'
import type { Bench } from './wallet.ts'

/** Times with one account and with `accounts` accounts. */
export type AccountsFigures = {
  accounts: number
  roundTrip: [one: Pair, all: Pair]
  /** Time to load the state for the wallet's pages. */
  state: [one: number, all: number]
  /** Time to draw the wallet's home, and a page of the bare extension. */
  home: [one: Pair, all: Pair]
}

/** Accounts that the wallet adds in one call. */
const AT_ONCE = 100

const repeatedly = async (times: number, time: () => Promise<number>): Promise<number> => {
  const taken: number[] = []
  for (let at = 0; at < times; at++) taken.push(await time())
  return median(taken)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Creates the wallet of the development phrase and adds accounts. Compares each time with the bare extension's time in
 * the same phase, because the machine can be busier in the second phase. Measures each page `times` times.
 */
export const measureAccounts = async (
  { context, site, base }: Bench,
  accounts: number,
  times: number,
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
    for (let at = 0; at < times; at++) {
      taken.bare.push(await timed(() => draw(`${base.bare}/page.html`, /^Nothing$/)))
      taken.wallet.push(await timed(() => draw(`${base.wallet}/popup.html`, /^Switch account/)))
    }
    return mediansOf(taken)
  }
  const measure = async () => ({
    roundTrip: await measureRoundTrips(site, 200),
    home: await drawInTurns(),
    state: await repeatedly(times, () => timed(() => callWallet(page, 'getState', null))),
  })
  const one = await measure()
  const [phrase] = (await callWallet(page, 'getState', null)).result.phrases
  const indexes = Array.from({ length: accounts - 1 }, (_, at) => at + 1)
  for (let at = 0; at < indexes.length; at += AT_ONCE)
    await callWallet(page, 'addAccounts', { phraseId: String(phrase?.id), indexes: indexes.slice(at, at + AT_ONCE) })
  const all = await measure()
  return {
    accounts,
    roundTrip: [one.roundTrip, all.roundTrip],
    state: [one.state, all.state],
    home: [one.home, all.home],
  }
}
