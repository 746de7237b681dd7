import { expect, test } from 'vitest'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { runSeed } from '../support/seed.ts'
import { fuzz, type Report, reportText } from './fuzz.ts'
import { KINDS } from './kinds.ts'
import { useWorld } from './use-world.ts'

const CASES = fuzzCases('requests')
/** Minimum number of cases with the same effect. A fixture or mutation with fewer proves nothing. */
const RARE = CASES / 4_000
/** Timeout in ms, long because other tests run at the same time. */
const TIMEOUT = 1_800_000

const started = useWorld(TIMEOUT)

const rareIn = ({ byFixture, byMutation }: Report): string[] =>
  [...byFixture, ...byMutation].filter(([, { compared }]) => compared < RARE).map(([name]) => name)

test(`${CASES} mutated requests are shown with at least the level of the plain requests`, {
  timeout: TIMEOUT,
}, async () => {
  const seed = runSeed & 0x7fffffff
  const report = await fuzz({ ...started(), kinds: KINDS, cases: CASES, seed })
  console.log(
    `${report.cases} requests, ${report.seconds.toFixed(0)} s, ${report.failures} failures, FUZZ_SEED=${seed}`,
  )
  expect(report.failures, reportText(report, seed)).toBe(0)
  expect(rareIn(report)).toEqual([])
})
