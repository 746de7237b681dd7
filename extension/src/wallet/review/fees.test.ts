import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RiskLevel } from '../../messages.ts'
import type { Fees, Offer } from '../fees/fees.ts'
import { offerFor } from '../fees/fees.ts'
import type { Market } from '../fees/filled.ts'
import { fastOffer, reviewMarket, reviewPrice, reviewShare } from './fees.ts'

const GWEI = 1_000_000_000n
const ETHER = 10n ** 18n

const feesOf = (baseFee: bigint | null, tip: bigint): Fees => ({
  baseFee,
  tips: { slow: tip, normal: tip, fast: tip },
  recentBaseFees: [],
  blockGas: null,
})
/** A market price of 20 gwei with a tip of 2 gwei, without a jump. */
const USUAL: Market = { fees: feesOf(20n * GWEI, 2n * GWEI), price: { believed: 22n * GWEI, jumpedFrom: null } }
const market = (most: bigint, tip: bigint): Offer => ({ maxFeePerGas: most * GWEI, maxPriorityFeePerGas: tip * GWEI })
const flat = (price: bigint): Offer => ({ gasPrice: price * GWEI })
const found = (offer: Offer, market: Market = USUAL) =>
  reviewPrice(offer, market).map(({ level, name }) => `${level} ${name}`)

test("the wallet's own offers have no findings at any speed", () => {
  for (const speed of ['slow', 'normal', 'fast'] as const) expect(found(offerFor(USUAL.fees, speed).fees)).toEqual([])
})

test('more than three times the fast estimate is a caution, more than ten times a danger', () => {
  expect(found(flat(66n))).toEqual([])
  expect(found(flat(67n))).toEqual(['caution highFee'])
  expect(found(flat(221n))).toEqual(['danger excessiveFee'])
  expect(found(market(186n, 2n))).toEqual([])
  expect(found(market(187n, 2n))).toEqual(['caution highFee'])
  expect(found(market(621n, 2n))).toEqual(['danger excessiveFee'])
})

test('a tip counts by itself, and the same price in one field or two has the same level', () => {
  expect(found(market(100n, 60n))).toEqual(['caution highFee'])
  for (const price of [67n, 221n, 9_000n]) expect(found(market(price, price))).toEqual(found(flat(price)))
})

test('a tip of 9,000 ether for a plain transfer is a danger', () => {
  const tip = (9_000n * ETHER) / 21_000n
  expect(found({ maxFeePerGas: tip, maxPriorityFeePerGas: tip })).toEqual(['danger excessiveFee'])
  expect(found({ gasPrice: tip })).toEqual(['danger excessiveFee'])
})

test('a node that reports absurd prices does not hide an excessive fee', () => {
  const lying: Market = {
    fees: feesOf(20n * GWEI, 50_000n * GWEI),
    price: { believed: 44n * GWEI, jumpedFrom: { price: 22n * GWEI, at: 0 } },
  }
  expect(found(offerFor(lying.fees, 'normal').fees, lying)).toEqual(['danger excessiveFee'])
  const flatLie: Market = { ...lying, fees: feesOf(null, 50_000n * GWEI) }
  expect(found(flat(50_000n), flatLie)).toEqual(['danger excessiveFee'])
  expect(reviewMarket(lying)).toEqual([
    { level: 'caution', name: 'gasPriceJumped', values: [String(50_020n * GWEI), String(22n * GWEI), '0'] },
  ])
  expect(reviewMarket(USUAL)).toEqual([])
})

test('an invented base fee alone is not a finding, because the block sets the real one', () => {
  const lying: Market = {
    fees: feesOf(9_000n * GWEI, 2n * GWEI),
    price: { believed: 44n * GWEI, jumpedFrom: { price: 22n * GWEI, at: 0 } },
  }
  expect(found(offerFor(lying.fees, 'normal').fees, lying)).toEqual([])
  expect(found(market(18_000n, 9_000n), lying)).toEqual(['danger excessiveFee'])
})

test('a few gwei are not a finding on a chain with very cheap gas', () => {
  const cheap: Market = { fees: feesOf(100n, 2n), price: { believed: 102n, jumpedFrom: null } }
  expect(found(flat(3n), cheap)).toEqual([])
  expect(found(flat(11n), cheap)).toEqual(['danger excessiveFee'])
  expect(found(flat(11n), { ...cheap, fees: feesOf(null, 0n) })).toEqual(['danger excessiveFee'])
})

test("a fee above a tenth of the balance is a danger if it exceeds the wallet's own offer", () => {
  const names = (atMost: bigint, own: bigint, balance: bigint) =>
    reviewShare(atMost, own, balance).map(({ name }) => name)
  expect(names(11n, 1n, 100n)).toEqual(['feeOfBalance'])
  expect(names(10n, 1n, 100n)).toEqual([])
  expect(names(50n, 40n, 100n)).toEqual([])
  expect(names(51n, 40n, 100n)).toEqual(['feeOfBalance'])
  expect(names(1n, 0n, 0n)).toEqual(['feeOfBalance'])
})

const LEVELS: readonly RiskLevel[] = ['none', 'caution', 'danger', 'blocked']
const levelOf = (findings: readonly { level: RiskLevel }[]) =>
  Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))

const wei = (most: bigint) => fc.bigInt({ min: 0n, max: most })
const anyMarket = fc
  .record({ baseFee: fc.option(wei(10n ** 13n)), tip: wei(10n ** 13n), believed: wei(10n ** 14n) })
  .map(({ baseFee, tip, believed }): Market => {
    const fees = feesOf(baseFee, tip)
    const { expected } = offerFor(fees, 'fast')
    return { fees, price: { believed: believed < expected ? believed : expected, jumpedFrom: null } }
  })

test('a higher tip, price or gas limit never lowers the level', () => {
  const asked = fc.record({
    market: anyMarket,
    tip: wei(10n ** 15n),
    above: wei(10n ** 15n),
    gas: wei(1n << 24n),
    balance: wei(10n ** 20n),
    more: fc.record({ tip: wei(10n ** 24n), above: wei(10n ** 24n), gas: wei(1n << 24n) }),
  })
  fc.assert(
    fc.property(asked, ({ market, tip, above, gas, balance, more }) => {
      const judge = (tip: bigint, most: bigint, gas: bigint) => [
        levelOf(reviewPrice({ maxFeePerGas: most, maxPriorityFeePerGas: tip }, market)),
        levelOf(reviewPrice({ gasPrice: most }, market)),
        levelOf(reviewShare(gas * most, 21_000n * fastOffer(market), balance)),
      ]
      const before = judge(tip, tip + above, gas)
      const after = judge(tip + more.tip, tip + above + more.tip + more.above, gas + more.gas)
      for (const [at, level] of before.entries()) expect(after[at]).toBeGreaterThanOrEqual(level)
      // A gas price is paid in full, so its level is at least as high as for the same value as a maximum.
      expect(after[1]).toBeGreaterThanOrEqual(after[0] ?? 0)
    }),
    { numRuns: 2_000 },
  )
})

test('a higher price from the node never lowers the level below the level at earlier prices', () => {
  fc.assert(
    fc.property(wei(10n ** 14n), wei(10n ** 18n), wei(5_000n), (honest, lie, percent) => {
      const price = (honest * percent) / 100n
      const judge = (tip: bigint) =>
        levelOf(
          reviewPrice({ gasPrice: price }, { fees: feesOf(null, tip), price: { believed: honest, jumpedFrom: null } }),
        )
      expect(judge(honest + lie)).toBeGreaterThanOrEqual(judge(honest))
    }),
    { numRuns: 1_000 },
  )
})
