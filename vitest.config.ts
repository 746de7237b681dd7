/** The one runner of all tests: beside the sources, and of what crosses parts in `test/`. */

import { defineConfig } from 'vitest/config'
import { components } from './extension/components.ts'
import { IN_BOTH, IN_FIREFOX_ALONE } from './test/e2e/browsers.ts'
import { GATE_IN_CHROMIUM } from './test/suite.ts'
import { isComplete } from './test/support/suite.ts'
import { aloneFiles, unitFiles } from './test/support/unit-files.ts'

const EXTENSION = 'test/e2e/**/*.test.ts'
const SCREENS = 'test/screens/**/*.test.ts'
const HOUSE = 'test/house/**/*.test.ts'
/** Faults of servers, apart from those of the files of the local store. */
const FAULTS = [
  'bridge-floods',
  'bridge-kill',
  'bridge-malformed',
  'edge',
  'relay-floods',
  'relay-fuzz',
  'relay-kill',
  'relay-kill-random',
  'relay-malformed',
  'shares',
  'stopping',
  'webhook-targets',
]
/**
 * Tests of the servers that run once more with one Redis as the store, and with a cluster. The other files of these folders
 * are about the files of the local store, or start no server of this kind.
 */
const ON_ANY_STORE = [
  'test/compat/{relay,bridge}.test.ts',
  'test/conformance/relay*.test.ts',
  ...FAULTS.map(name => `test/faults/${name}.test.ts`),
]
/** The part of them that runs on a cluster each time. `npm run test:cluster` runs all. */
const ON_CLUSTER = [
  'test/compat/relay.test.ts',
  'test/conformance/relay-v2.test.ts',
  ...['bridge-kill', 'relay-kill-random', 'shares'].map(name => `test/faults/${name}.test.ts`),
]
const files = (names: readonly string[]) => names.map(name => `test/e2e/${name}.test.ts`)

/** The files of a worker share a process, and with it a browser. */
const SHARED_BROWSER = {
  isolate: false,
  setupFiles: ['test/support/restore.ts'],
  globalSetup: ['test/support/built.ts'],
}

export default defineConfig({
  plugins: [components()],
  test: {
    // Much of a test is waiting for servers and browsers.
    maxWorkers: '100%',
    reporters: ['default', './test/support/reporter.ts'],
    // Generous timeouts, because a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // They start in alphabetical order: long files first, and short ones fill the end.
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: isComplete ? [EXTENSION] : files(GATE_IN_CHROMIUM),
          exclude: isComplete ? files([...IN_FIREFOX_ALONE, ...GATE_IN_CHROMIUM]) : [],
          ...SHARED_BROWSER,
        },
      },
      {
        extends: true,
        test: {
          name: 'firefox',
          include: files([...IN_BOTH, ...IN_FIREFOX_ALONE]),
          env: { TEST_BROWSER: 'firefox' },
          ...SHARED_BROWSER,
        },
      },
      { extends: true, test: { name: 'house', include: [HOUSE] } },
      { extends: true, test: { name: 'redis', include: ON_ANY_STORE, env: { TEST_STORE: 'redis' } } },
      {
        extends: true,
        test: {
          name: 'redis-cluster',
          include: process.env.CLUSTER_TESTS === 'all' ? ON_ANY_STORE : ON_CLUSTER,
          env: { TEST_STORE: 'cluster' },
        },
      },
      { extends: true, test: { name: 'screens', include: [SCREENS], globalSetup: ['test/screens/started.ts'] } },
      {
        extends: true,
        test: { name: 'servers', include: ['test/**/*.test.ts'], exclude: [EXTENSION, SCREENS, HOUSE] },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [...unitFiles],
          exclude: [...aloneFiles],
          // Files share a process and its modules, which takes half the time.
          isolate: false,
          setupFiles: ['test/support/restore.ts'],
        },
      },
      { extends: true, test: { name: 'unit-alone', include: [...aloneFiles] } },
    ],
  },
})
