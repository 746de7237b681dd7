/** The short form of `npm run storm`. */
import { expect, test } from 'vitest'
import { runSeed } from '../support/seed.ts'
import { runStorm } from './storm.ts'

test(`relays and Redis are killed at random: no message is lost, out of order or delivered after its acknowledgement (FUZZ_SEED=${runSeed})`, {
  timeout: 400_000,
}, async () => {
  const figures = await runStorm({ seed: runSeed, relays: 3, topics: 10, publishes: 150, relayKills: 4, redisKills: 2 })
  expect(figures).toMatchObject({ published: 1500, lost: 0, outOfOrder: 0, afterAcknowledgement: 0 })
})
