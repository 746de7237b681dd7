import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { root } from './root.ts'

/** Runs a program with pipes for its output. It is stopped when this process ends. */
export const spawnProgram = (
  command: string,
  args: readonly string[],
  cwd = root,
): ChildProcessByStdio<null, Readable, Readable> => {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  return child
}

/** Runs Node with `args`, like `spawnProgram`. */
export const spawnNode = (args: readonly string[], cwd = root): ChildProcessByStdio<null, Readable, Readable> =>
  spawnProgram(process.execPath, args, cwd)
