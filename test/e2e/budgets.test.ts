/**
 * Compares response times with those of a minimal extension that only echoes messages, in the same browser and run. The
 * figures are in docs/performance.md; the limits here allow for a busy machine.
 */
import { beforeAll, expect, test } from 'vitest'
import type { Pair } from '../bench/round-trips.ts'
import { measureWallet, type WalletFigures } from '../bench/wallet.ts'

let figures: WalletFigures

/** All measurements together, in ms: other files run beside this one. */
const PATIENCE = 300_000

beforeAll(async () => {
  figures = await measureWallet({ roundTrips: 400, coldStarts: 7, accounts: 200 })
}, PATIENCE)

test('a request takes at most twice as long as an echoed message', () => {
  const { wallet, bare } = figures.roundTrip
  expect(wallet / bare).toBeLessThanOrEqual(2)
})

test('a stopped worker responds within a few times a bare start', () => {
  const { wallet, bare } = figures.cold
  // About 3 on a quiet machine. The wallet's start is work for the processor, the bare one is mostly waiting.
  expect(wallet / bare).toBeLessThanOrEqual(8)
})

test("200 accounts slow down neither a site nor the wallet's pages", () => {
  const { roundTrip, home } = figures.many
  const slowdown = ([one, all]: [Pair, Pair]) => all.wallet / all.bare / (one.wallet / one.bare)
  expect(slowdown(roundTrip)).toBeLessThanOrEqual(2)
  expect(slowdown(home)).toBeLessThanOrEqual(3)
})

test('the approval window can be read and rejected within a few times a bare window', () => {
  const { signature, transaction } = figures.approval
  // For example 500 ms if a bare window takes 60 ms.
  expect(signature.wallet / signature.bare).toBeLessThanOrEqual(8)
  expect(transaction.wallet / transaction.bare).toBeLessThanOrEqual(8)
})
