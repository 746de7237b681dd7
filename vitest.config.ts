/**
 * Configures the runner of all tests: tests beside the sources, and tests that cross parts in `test/`. test/suite.ts
 * chooses the files of each command.
 */

import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { components } from './extension/components.ts'
import { IN_BOTH, IN_FIREFOX_ALONE } from './test/e2e/browsers.ts'
import * as suite from './test/suite.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { runSeed } from './test/support/seed.ts'
import { isComplete } from './test/support/suite.ts'
import { generatedUnitFiles, isolatedFiles, sharingFiles, unitFiles } from './test/support/test-files.ts'

/**
 * Server tests that also run with Redis as the store. Other tests do not reach the store, or are about the local store.
 */
const ON_REDIS = [
  'test/compat/relay.test.ts',
  'test/conformance/relay*.test.ts',
  ...['bridge-floods', 'bridge-kill', 'relay-floods', 'relay-kill', 'relay-kill-random', 'shares', 'stopping'].map(
    name => `test/faults/${name}.test.ts`,
  ),
]
/** Files of `ON_REDIS` that the complete run also runs on a cluster. `npm run test:cluster` runs all of them there. */
const ON_CLUSTER = [
  'test/conformance/relay-v2.test.ts',
  ...['relay-kill-random', 'shares'].map(name => `test/faults/${name}.test.ts`),
]
const FOLDERS_OF_THEIR_OWN = ['test/e2e/**', 'test/house/**', 'test/screens/**']

/** Returns the files of the gate, or in the complete run all other files of these patterns. */
const chosen = (gate: readonly string[], all: readonly string[], exclude: readonly string[] = []) => {
  const others = [...gate.filter(file => !suite.IN_BOTH_COMMANDS.includes(file)), ...suite.ALONE]
  return isComplete
    ? { include: [...all], exclude: [...others, ...exclude] }
    : { include: [...gate], exclude: [...exclude] }
}

/** Setup of browser tests. */
const inBrowser = { globalSetup: ['test/support/built.ts'] }
const files = (names: readonly string[]) => names.map(name => `test/e2e/${name}.test.ts`)

/** Setup of the files that use fast-check. */
const generated = { setupFiles: ['test/support/seeded-properties.ts'] }

/**
 * Numbers of workers. Tests mostly wait for servers and browsers. In the complete run, the parts with a browser and the
 * others run at the same time (test/complete.ts), and take about as long.
 */
const cores = availableParallelism()
const nodeWorkers = Math.ceil(1.5 * cores)
const browserWorkers = isComplete ? nodeWorkers : cores

/** Setup of tests without a browser. In one run, they follow the browser tests, which keep all cores busy. */
const inNode = { sequence: { groupOrder: 1 }, maxWorkers: nodeWorkers }

/** The complete run repeats only the unit tests with generated cases, because the gate runs all the others alike. */
const unit = [...(isComplete ? generatedUnitFiles : unitFiles)]

const project = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...test },
})

/** Files of `test/` that need no browser, without the excluded ones. */
const servers = (exclude: readonly string[]) => ({
  ...chosen(suite.GATE_NODE, ['test/**/*.test.ts'], [...FOLDERS_OF_THEIR_OWN, ...exclude]),
  ...inNode,
  ...generated,
})

/** In the order in which they run. */
const inBoth = [
  project('browser', {
    ...chosen(suite.GATE_BROWSER, ['test/e2e/*.test.ts'], files(IN_FIREFOX_ALONE)),
    ...inBrowser,
  }),
  project('screens', {
    ...chosen(suite.GATE_SCREENS, ['test/screens/*.test.ts']),
    globalSetup: ['test/screens/started.ts'],
  }),
  project('house', { ...chosen(suite.GATE_HOUSE, ['test/house/*.test.ts']), ...inNode }),
  project('servers', servers(isolatedFiles)),
  project('servers-isolated', { ...servers(sharingFiles), isolate: true }),
  project('unit', { include: unit, exclude: [...isolatedFiles], ...inNode, ...generated }),
  project('unit-isolated', {
    include: unit,
    exclude: [...sharingFiles],
    isolate: true,
    ...inNode,
    ...generated,
  }),
]

const inAll = [
  project('firefox', {
    include: files([...IN_BOTH, ...IN_FIREFOX_ALONE]),
    env: { TEST_BROWSER: 'firefox' },
    ...inBrowser,
  }),
  project('redis', { include: ON_REDIS, env: { TEST_STORE: 'redis' }, ...inNode }),
  project('redis-cluster', {
    include: process.env.CLUSTER_TESTS === 'all' ? ON_REDIS : ON_CLUSTER,
    env: { TEST_STORE: 'cluster' },
    ...inNode,
  }),
  project('alone', {
    include: [...suite.ALONE],
    maxWorkers: 1,
    isolate: true,
    sequence: { groupOrder: 2 },
    globalSetup: inBrowser.globalSetup,
  }),
]

const projects = isComplete ? [...inBoth, ...inAll] : inBoth

/** The names of all parts of this command. */
export const parts: readonly string[] = projects.map(({ test }) => `${test?.name}`)

export default defineConfig({
  plugins: [components()],
  test: {
    maxWorkers: browserWorkers,
    // Files share a process and its modules, which halves the time.
    isolate: false,
    // The parts share transformed modules, which are kept by content.
    experimental: { fsModuleCache: true },
    reporters: ['default', './test/support/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // All processes of a run share one seed.
    env: { FUZZ_SEED: `${runSeed}` },
    // Generous timeouts, because a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ['test/support/restore.ts'],
    projects,
  },
})
