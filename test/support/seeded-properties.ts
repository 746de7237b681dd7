/**
 * Gives fast-check's properties the seed of the run, and half of the usual cases: each complete run has others. This is
 * a setup file of each vitest project.
 */
import { configureGlobal } from 'fast-check'
import { runSeed } from './seed.ts'

configureGlobal({ seed: runSeed, numRuns: 50 })
