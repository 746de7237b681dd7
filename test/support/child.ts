import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { root } from './root.ts'

/** Programs that still run. They are stopped when this process ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill()
})
// The test runner ends its workers by a signal, after which `exit` would not be emitted.
if (process.env.VITEST) process.once('SIGTERM', () => process.exit())

/** Runs a program with pipes for its output. It is stopped when this process ends. */
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
