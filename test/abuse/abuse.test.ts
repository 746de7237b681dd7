/** The short form of `npm run bench:abuse`: honest clients are served during ten attacks, and no limit is used up. */
import { beforeAll, expect, test } from 'vitest'
import { strategies } from './attacks.ts'
import { BURST, type Result, runAbuse } from './bench.ts'

let results: readonly Result[]
beforeAll(async () => {
  const short = { pairs: 20, burst: BURST, quiet: 500, length: 1500, every: 250 }
  results = await runAbuse({ strategies, ...short, isEachRestarted: false })
})

test.each(strategies.map((strategy, index) => ({ strategy, index })))(
  '$strategy: honest messages arrive, and no bound moves by more than one percent',
  ({ index }) => {
    const result = results[index]
    expect(result?.attacked.sent).toBeGreaterThan(50)
    expect(result?.attacked.success).toBeGreaterThanOrEqual(0.99)
    expect(result?.moved, result?.bound).toBeLessThanOrEqual(0.01)
  },
)
