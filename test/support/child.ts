import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { root } from './root.ts'

/** Programs that are still running. They are stopped when this process exits. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill()
})
// The test runner stops its workers with SIGTERM, after which Node would not emit `exit`.
if (process.env.VITEST) process.once('SIGTERM', () => process.exit())

/** Runs a program with pipes for its output. It is stopped when this process exits. */
export const spawnProgram = (
  command: string,
  args: readonly string[],
  cwd = root,
  env = process.env,
): ChildProcessByStdio<null, Readable, Readable> => {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Runs Node with `args`, like `spawnProgram`. */
export const spawnNode = (args: readonly string[], cwd = root): ChildProcessByStdio<null, Readable, Readable> =>
  spawnProgram(process.execPath, args, cwd)

/** Waits until a program exits. Rejects with `failure` and the program's output unless its exit code is 0. */
export const succeed = async (child: ChildProcessByStdio<null, Readable, Readable>, failure: string): Promise<void> => {
  const { code, said } = await outcomeOf(child)
  if (code !== 0) throw new Error(`${failure}:\n${said.trim()}`)
}

/** Waits until a program exits. `code` is null after a signal. `said` is its whole output. */
export const outcomeOf = async (
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; said: string }> => {
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', chunk => (said += chunk))
  const [code] = await once(child, 'close')
  return { code, said }
}
