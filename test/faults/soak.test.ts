/** The short form of `npm run soak`: a relay under steady load, with random kills and a full disk. */
import { expect, test } from 'vitest'
import { isFlat, soak } from '../soak/soak.ts'
import { runSeed } from '../support/seed.ts'

test(`a relay under load loses no message, and its memory and disk use do not grow, FUZZ_SEED=${runSeed}`, async () => {
  const result = await soak({ seconds: 24, rate: 500, bytes: 4000, ttl: 10, kills: 3, seed: runSeed })
  expect(result).toMatchObject({ lost: 0, missing: 0, outOfOrder: 0, late: 0, aborts: 0 })
  // Proves that the test was effective: there was load, the disk was full, and messages were delivered.
  expect(result.accepted).toBeGreaterThan(1000)
  expect(result.delivered).toBeGreaterThan(1000)
  expect(result.refused).toBeGreaterThan(0)
  expect(result.memory).toSatisfy(isFlat)
  expect(result.disk).toSatisfy(isFlat)
})
