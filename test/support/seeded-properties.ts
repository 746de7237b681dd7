/** Gives fast-check's properties the seed of the run. This is a setup file of each vitest project. */
import { configureGlobal } from 'fast-check'
import { runSeed } from './seed.ts'

configureGlobal({ seed: runSeed })
