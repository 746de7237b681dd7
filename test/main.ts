/**
 * Runs `npm test` and `npm run test:all`: vitest with the given arguments. `--changed [BASE]` selects the tests of the
 * files that differ from the commit BASE (default HEAD), committed or not. Without arguments, `npm run test:all` runs
 * test/complete.ts. Exits when its parent exits.
 */
import { spawnSync } from 'node:child_process'
import { splitArguments, testsFor } from './support/changed.ts'
import { root } from './support/root.ts'
import { isComplete } from './support/suite.ts'

const VITEST = new URL('../node_modules/vitest/vitest.mjs', import.meta.url)

/** Returns the paths that git lists. Exits this process if git fails; git has then printed the reason. */
const git = (...args: string[]): string[] => {
  const { status, stdout } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) process.exit(1)
  return stdout.split('\0').filter(path => path !== '')
}

/** Returns the files that were changed, added, deleted or renamed since the branch left `base`, and untracked files. */
const changedSince = (base: string): string[] => [
  ...git('diff', '--name-only', '--no-renames', '-z', '--merge-base', base),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
]

/** Runs vitest's command line in this process. */
const runVitest = async (args: readonly string[]): Promise<void> => {
  process.argv.splice(2, Number.POSITIVE_INFINITY, 'run', ...args)
  await import(VITEST.href)
}

const runChanged = async (base: string, args: readonly string[]): Promise<void> => {
  const tests = testsFor(changedSince(base))
  if (tests === 'everything') return runVitest(args)
  if (tests.length > 0) return runVitest([...tests, ...args])
  console.log(`No files have changed since ${base}.\n0 passed, 0 failed`)
}

const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(1), 200).unref()

const runAll = async (): Promise<void> => {
  const { runComplete } = await import('./complete.ts')
  process.exitCode = (await runComplete()) ? 0 : 1
}

const { base, rest } = splitArguments(process.argv.slice(2))
if (base !== undefined) await runChanged(base, rest)
else if (isComplete && rest.length === 0) await runAll()
else await runVitest(rest)
