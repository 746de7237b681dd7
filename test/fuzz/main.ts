/** Runs `npm run fuzz -- --cases=200000 --seed=7`: searches for requests whose danger the wallet understates. */
import { parseArgs } from 'node:util'
import { fuzz, reportText } from './fuzz.ts'
import { KINDS } from './kinds.ts'
import { startReview } from './review.ts'
import { startWorld } from './world.ts'

const { values } = parseArgs({ options: { cases: { type: 'string' }, seed: { type: 'string' } } })
const cases = Number(values.cases ?? 100_000)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed) || seed < 0)
  throw new Error('--cases and --seed must be whole numbers')

console.log(`seed ${seed}`)
const world = await startWorld()
try {
  const report = await fuzz({ world, review: await startReview(world.rpc), kinds: KINDS, cases, seed })
  console.log(reportText(report, seed))
  process.exitCode = report.failures > 0 ? 1 : 0
} finally {
  await world.stop()
}
