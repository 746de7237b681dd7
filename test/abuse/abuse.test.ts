/** The short form of `npm run bench:abuse`: honest clients are served during ten attacks, and no limit is used up. */
import { beforeAll, expect, test } from 'vitest'
import { relayRows } from '../../relay-server/src/config.ts'
import { strategies } from './attacks.ts'
import { type Result, runAbuse } from './bench.ts'

const [PAIRS, MESSAGES, EVERY] = [10, 3, 250]
const burst = relayRows.addressBurst.default

let results: readonly Result[]
beforeAll(async () => {
  const pace = { quiet: 2 * EVERY, length: MESSAGES * EVERY, every: EVERY, patience: 60_000 }
  results = await runAbuse({ strategies, pairs: PAIRS, port: 0, burst, ...pace, isEachRestarted: false })
}, 600_000)

test.each(strategies.map((strategy, index) => ({ strategy, index })))(
  "$strategy: honest messages arrive, and no limit's use grows by more than one percent",
  ({ index }) => {
    const result = results[index]
    expect(result?.attacked.sent).toBe(PAIRS * MESSAGES)
    expect(result?.attacked.success).toBeGreaterThanOrEqual(0.99)
    expect(result?.moved, result?.bound).toBeLessThanOrEqual(0.01)
  },
)
