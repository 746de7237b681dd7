/** The one runner of all tests: beside the sources, and of what crosses parts in `test/`. */
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { IN_BOTH, IN_FIREFOX_ALONE } from './test/e2e/browsers.ts'
import { aloneFiles, unitFiles } from './test/support/unit-files.ts'

const EXTENSION = 'test/e2e/**/*.test.ts'
const SCREENS = 'test/screens/**/*.test.ts'
const HOUSE = 'test/house/**/*.test.ts'
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
    // They start in alphabetical order: long files first, and short ones fill the end.
    projects: [
      { extends: true, test: { name: 'browser', include: [EXTENSION], exclude: files(IN_FIREFOX_ALONE) } },
      {
        extends: true,
        test: {
          name: 'firefox',
          include: files([...IN_BOTH, ...IN_FIREFOX_ALONE]),
          env: { TEST_BROWSER: 'firefox' },
        },
      },
      { extends: true, test: { name: 'house', include: [HOUSE] } },
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
