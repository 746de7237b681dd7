/** The one runner of all tests: beside the sources, and of what crosses parts in `test/`. */
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { IN_BOTH, IN_FIREFOX_ALONE } from './test/e2e/browsers.ts'

const BROWSER = 'test/e2e/**/*.test.ts'
const files = (names: readonly string[]) => names.map(name => `test/e2e/${name}.test.ts`)

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  test: {
    // Much of a test is waiting for servers and browsers.
    maxWorkers: '100%',
    reporters: ['default', './test/support/reporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A generous timeout, because a busy machine is slow.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['{shared,relay-server,bridge-server,extension}/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', BROWSER],
        },
      },
      { extends: true, test: { name: 'e2e', include: [BROWSER], exclude: files(IN_FIREFOX_ALONE) } },
      {
        extends: true,
        test: {
          name: 'firefox',
          include: files([...IN_BOTH, ...IN_FIREFOX_ALONE]),
          env: { TEST_BROWSER: 'firefox' },
        },
      },
    ],
  },
})
