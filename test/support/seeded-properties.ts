/**
 * Gives fast-check's properties the seed of the run, and fewer runs in the gate, whose seed is always the same. This is
 * a setup file of each vitest project.
 */
import { configureGlobal } from 'fast-check'
import { runSeed } from './seed.ts'
import { isComplete } from './suite.ts'

configureGlobal({ seed: runSeed, numRuns: isComplete ? 100 : 50 })
