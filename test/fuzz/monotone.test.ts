import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { runSeed } from '../support/seed.ts'
import { fuzz, type Report, reportText } from './fuzz.ts'
import { KINDS } from './kinds.ts'
import { type Review, startReview } from './review.ts'
import { transactions } from './transactions.ts'
import { startWorld, type World } from './world.ts'

const CASES = fuzzCases('requests')
/** Minimum cases with the same effect; a fixture or mutation without one proves nothing. */
const RARE = CASES / 4_000
/** Timeout in ms, generous because other tests run at the same time. */
const TIMEOUT = 1_800_000

let world: World
let review: Review

beforeAll(async () => {
  world = await startWorld()
  review = await startReview(world.rpc)
}, TIMEOUT)

afterAll(() => world.stop())

const rareIn = ({ byFixture, byMutation }: Report): string[] =>
  [...byFixture, ...byMutation].filter(([, { compared }]) => compared < RARE).map(([name]) => name)

test(`${CASES} mutated requests are shown with at least the danger of the plain ones`, {
  timeout: TIMEOUT,
}, async () => {
  const seed = runSeed & 0x7fffffff
  const report = await fuzz({ world, review, kinds: KINDS, cases: CASES, seed })
  console.log(
    `${report.cases} requests, ${report.seconds.toFixed(0)} s, ${report.failures} failures, FUZZ_SEED=${seed}`,
  )
  expect(report.failures, reportText(report, seed)).toBe(0)
  expect(rareIn(report)).toEqual([])
})

/** A planted weakness: ignores findings if the calldata is not a whole number of words, like a too strict decoder. */
const forgetful: Review = async request => {
  const shown = await review(request)
  const isOdd = shown.sent.some(({ data }) => ((data.length - 2) / 2) % 32 !== 4 && data !== '0x')
  return isOdd ? { ...shown, level: 'caution', findings: ['caution malformedCall'] } : shown
}

test('a review that a byte after the arguments misleads is detected', { timeout: TIMEOUT }, async () => {
  const report = await fuzz({ world, review: forgetful, kinds: [transactions], cases: 120, seed: 1 })
  expect(report.failures).toBeGreaterThan(10)
  expect(report.examples.map(({ one }) => one.mutations.map(({ name }) => name))).toContainEqual(['tail bytes'])
})

/** A planted weakness: treats every allowance as limited. */
const trusting: Review = async request => {
  const shown = await review(request)
  const isPlain = shown.sent.some(({ data }) => data.startsWith('0x095ea7b3') && data.endsWith('f'.repeat(64)))
  return isPlain ? { ...shown, level: 'caution', findings: [] } : shown
}

test('a fixture shown with too low a danger is detected', { timeout: TIMEOUT }, async () => {
  const report = await fuzz({ world, review: trusting, kinds: [transactions], cases: 400, seed: 2 })
  expect(report.examples).toContainEqual(expect.objectContaining({ plain: 'at least danger' }))
})
