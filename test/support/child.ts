import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { root } from './root.ts'

/** Runs Node with `args` and pipes for its output. It is stopped when this process ends. */
export const spawnNode = (args: readonly string[], cwd = root): ChildProcessByStdio<null, Readable, Readable> => {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  return child
}
