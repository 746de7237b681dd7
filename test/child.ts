import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { root } from './root.ts'

/** Shells count the length of files in blocks. */
const BLOCK = 512
const LIMITED = 'ulimit -f "$0" && exec "$@"'

/**
 * Runs Node with `args`, its output to be read from pipes. It is ended when this process ends. `fileBytes` bounds the
 * files that it writes.
 */
export const spawnNode = (
  args: readonly string[],
  cwd = root,
  fileBytes?: number,
): ChildProcessByStdio<null, Readable, Readable> => {
  const node = [process.execPath, ...args]
  const limited = ['sh', '-c', LIMITED, `${(fileBytes ?? 0) / BLOCK}`, ...node]
  const [command = '', ...rest] = fileBytes === undefined ? node : limited
  const child = spawn(command, rest, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  return child
}
