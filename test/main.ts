/**
 * `npm test` and `npm run test:all`: vitest with the given arguments. `--changed [BASE]` chooses the tests by the files that
 * differ from the commit BASE (default HEAD), committed or not. Ends with its parent.
 */
import { spawnSync } from 'node:child_process'
import { splitArguments, testsFor } from './support/changed.ts'
import { root } from './support/root.ts'

const VITEST = new URL('../node_modules/vitest/vitest.mjs', import.meta.url)

/** Paths that git lists. Ends this process if git fails, which has said why. */
const git = (...args: string[]): string[] => {
  const { status, stdout } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) process.exit(1)
  return stdout.split('\0').filter(path => path !== '')
}

/** Files that were changed, added, deleted or renamed since the branch left `base`, and those that git does not know. */
const changedSince = (base: string): string[] => [
  ...git('diff', '--name-only', '--no-renames', '-z', '--merge-base', base),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
]

/** Runs vitest's own command in this process. */
const runVitest = async (args: readonly string[]): Promise<void> => {
  process.argv.splice(2, Number.POSITIVE_INFINITY, 'run', ...args)
  await import(VITEST.href)
}

const runChanged = async (base: string, args: readonly string[]): Promise<void> => {
  const tests = testsFor(changedSince(base))
  if (tests === 'everything') return runVitest(args)
  if (tests.length > 0) return runVitest([...tests, ...args])
  console.log(`Nothing has changed since ${base}.\n0 passed, 0 failed`)
}

const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(1), 200).unref()

const { base, rest } = splitArguments(process.argv.slice(2))
await (base === undefined ? runVitest(rest) : runChanged(base, rest))
