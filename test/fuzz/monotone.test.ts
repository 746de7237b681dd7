import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { runSeed } from '../support/seed.ts'
import { isComplete } from '../support/suite.ts'
import { fuzz, type Report, reportText } from './fuzz.ts'
import { KINDS } from './kinds.ts'
import { useWorld } from './use-world.ts'

const CASES = fuzzCases('requests')
/** Timeout in ms, long because other tests run at the same time. */
const TIMEOUT = 1_800_000

const started = useWorld(TIMEOUT)

/** Returns the fixtures and mutations without a case of the same effect. They prove nothing. */
const uselessIn = ({ byFixture, byMutation }: Report): string[] =>
  [...byFixture, ...byMutation].filter(([, { compared }]) => compared === 0).map(([name]) => name)

test(`${CASES} mutated requests are shown with at least the level of the plain requests`, {
  timeout: TIMEOUT,
}, async () => {
  const seed = runSeed & 0x7fffffff
  const report = await fuzz({ ...started(), kinds: KINDS, cases: CASES, seed })
  console.log(
    `${report.cases} requests, ${report.seconds.toFixed(0)} s, ${report.failures} failures, FUZZ_SEED=${seed}`,
  )
  expect(report.failures, reportText(report, seed)).toBe(0)
  // With another seed than the gate's, a rare one may have no such case.
  if (!isComplete) expect(uselessIn(report)).toEqual([])
})
