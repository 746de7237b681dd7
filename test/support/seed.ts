/**
 * Seed of the generated tests: 1 in the gate, and a new one in each run of `npm run test:all`, which prints it.
 * `FUZZ_SEED` sets the seed, to repeat a run. Worker processes inherit the seed through the environment.
 */
import { randomInt } from 'node:crypto'
import { isComplete } from './suite.ts'

const GATE_SEED = 1

process.env.FUZZ_SEED ??= `${isComplete ? randomInt(2 ** 31) : GATE_SEED}`

export const runSeed = Number(process.env.FUZZ_SEED)
