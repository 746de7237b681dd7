/**
 * Runs all of `npm run test:all`. The parts with a browser wait half of their time, so they share the machine with the
 * other parts. The files that measure time or memory follow, when nothing else runs.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parts } from '../vitest.config.ts'
import { runSeed } from './support/seed.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const BROWSERS = ['screens', 'browser', 'firefox']
const ALONE = ['alone']
const OTHERS = parts.filter(part => ![...BROWSERS, ...ALONE].includes(part))

const COUNTS = /^(\d+) passed, (\d+) failed$/gm

type Counts = { passed: number; failed: number }

/**
 * Runs these parts in a process of their own, and prints its output. Returns the counts of its last line. Processes
 * that run at the same time need different numbers (test/support/free-port.ts).
 */
const runParts = (parts: readonly string[], number: number): Promise<Counts> =>
  new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', MAIN, ...parts.flatMap(part => ['--project', part])]
    const env = { ...process.env, FUZZ_SEED: `${runSeed}`, TEST_RUN: `${number}` }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const output of [child.stdout, child.stderr])
      output.on('data', chunk => {
        said += chunk
        process.stdout.write(chunk)
      })
    child.once('error', reject)
    child.once('close', code => {
      const [, passed = 0, failed = 0] = [...said.matchAll(COUNTS)].at(-1) ?? []
      // A run that was killed has no counts, or only passed tests.
      resolve({ passed: Number(passed), failed: Number(failed) || Number(code !== 0) })
    })
  })

/** Runs everything. Returns true if all tests passed. Prints the duration and the counts. */
export const runComplete = async (): Promise<boolean> => {
  const begin = performance.now()
  const counts = [...(await Promise.all([BROWSERS, OTHERS].map(runParts))), await runParts(ALONE, 0)]
  const sum = (of: keyof Counts) => counts.reduce((total, count) => total + count[of], 0)
  console.log(`\nEverything took ${Math.round((performance.now() - begin) / 1000)} s.`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0
}
