/**
 * What a site waits for, held against an extension that only sends messages back, in the same browser and the same run. The
 * figures are in docs/performance.md; the bounds here leave room for a machine that is busy with other things.
 */
import { beforeAll, expect, test } from 'vitest'
import { measureWallet, type WalletFigures } from '../bench/wallet.ts'

let figures: WalletFigures

beforeAll(async () => {
  figures = await measureWallet({ roundTrips: 400, coldStarts: 7, accounts: 200 })
})

test('a request and its answer take at most twice a bare message and its echo', () => {
  const { wallet, bare } = figures.roundTrip
  expect(wallet / bare).toBeLessThanOrEqual(2)
})

test('a worker that has to be started answers within some bare starts', () => {
  const { wallet, bare } = figures.cold
  // 250 ms where a bare start takes 50.
  expect(wallet / bare).toBeLessThanOrEqual(5)
})

test('200 accounts cost a site nothing, and the person nothing to be seen', () => {
  const { roundTrip, home } = figures.many
  expect(roundTrip[1] / roundTrip[0]).toBeLessThanOrEqual(2)
  expect(home[1] / home[0]).toBeLessThanOrEqual(3)
})

test('the approval window can be read and rejected within some bare windows', () => {
  const { signature, transaction } = figures.approval
  // 500 ms where a bare window takes 60.
  expect(signature.wallet / signature.bare).toBeLessThanOrEqual(8)
  expect(transaction.wallet / transaction.bare).toBeLessThanOrEqual(8)
})
