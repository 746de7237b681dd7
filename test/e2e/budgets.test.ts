/**
 * Compares the wallet's response times with a minimal extension's, which only echoes messages, in the same browser and
 * run. docs/performance.md has the figures. The limits here are wider, to allow for a busy machine.
 */
import { beforeAll, expect, test } from 'vitest'
import { type AccountsFigures, measureAccounts } from '../bench/accounts.ts'
import { type ApprovalFigures, measureApproval } from '../bench/approval.ts'
import { measureRoundTrips, type Pair } from '../bench/round-trips.ts'
import { measureColdStarts, withBothExtensions } from '../bench/wallet.ts'

let figures: { roundTrip: Pair; cold: Pair; many: AccountsFigures; approval: ApprovalFigures }

/** Time limit of all measurements together in ms. It is long, because other files run at the same time. */
const PATIENCE = 300_000

beforeAll(async () => {
  figures = await withBothExtensions(async bench => ({
    roundTrip: await measureRoundTrips(bench.site, 400),
    cold: await measureColdStarts(bench, 7),
    many: await measureAccounts(bench, 200, 5),
    approval: await measureApproval(bench, 5),
  }))
}, PATIENCE)

test('a request takes at most twice as long as an echo', () => {
  const { wallet, bare } = figures.roundTrip
  expect(wallet / bare).toBeLessThanOrEqual(2)
})

test("a stopped worker starts in at most eight times the minimal extension's time", () => {
  const { wallet, bare } = figures.cold
  // The ratio is about 3 on a quiet machine. The wallet's start uses the processor, while the minimal extension's is
  // mostly waiting.
  expect(wallet / bare).toBeLessThanOrEqual(8)
})

test("200 accounts do not slow down sites or the wallet's pages", () => {
  const { roundTrip, home } = figures.many
  const slowdown = ([one, all]: [Pair, Pair]) => all.wallet / all.bare / (one.wallet / one.bare)
  expect(slowdown(roundTrip)).toBeLessThanOrEqual(2)
  expect(slowdown(home)).toBeLessThanOrEqual(3)
})

test("the approval window can be read and rejected in at most eight times a minimal window's time", () => {
  const { signature, transaction } = figures.approval
  // For example, the wallet has about 500 ms if a minimal window takes 60 ms.
  expect(signature.wallet / signature.bare).toBeLessThanOrEqual(8)
  expect(transaction.wallet / transaction.bare).toBeLessThanOrEqual(8)
})
