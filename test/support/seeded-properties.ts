/** Gives the properties of fast-check the seed of the run. A setup file of each project. */
import { configureGlobal } from 'fast-check'
import { runSeed } from './seed.ts'

configureGlobal({ seed: runSeed })
