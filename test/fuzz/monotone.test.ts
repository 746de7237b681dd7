import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { runSeed } from '../support/seed.ts'
import { isComplete } from '../support/suite.ts'
import { fuzz, type Report, reportText } from './fuzz.ts'
import { KINDS } from './kinds.ts'
import { useWorld } from './use-world.ts'

const CASES = fuzzCases('requests')
/**
 * Number of cases of a fixture or mutation of which at least one must have the same effect. About half of them do, so
 * only the gate, whose seed is fixed, can expect it of a single case.
 */
const ENOUGH = isComplete ? 20 : 1
/** Timeout in ms, long because other tests run at the same time. */
const TIMEOUT = 1_800_000

const started = useWorld(TIMEOUT)

const uselessIn = ({ byFixture, byMutation }: Report): string[] =>
  [...byFixture, ...byMutation]
    .filter(([, { cases, compared }]) => cases >= ENOUGH && compared === 0)
    .map(([name]) => name)

test(`${CASES} mutated requests are shown with at least the level of the plain requests`, {
  timeout: TIMEOUT,
}, async () => {
  const seed = runSeed & 0x7fffffff
  const report = await fuzz({ ...started(), kinds: KINDS, cases: CASES, seed })
  console.log(
    `${report.cases} requests, ${report.seconds.toFixed(0)} s, ${report.failures} failures, FUZZ_SEED=${seed}`,
  )
  expect(report.failures, reportText(report, seed)).toBe(0)
  expect(uselessIn(report)).toEqual([])
})
