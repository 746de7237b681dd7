/** Starts servers with standard output and standard error that the test chooses. */
import { type ChildProcess, spawn } from 'node:child_process'
import { root } from './root.ts'
import { type ServerName, scriptOf } from './server-scripts.ts'

/** Starts a server with flags and with these targets for standard output and standard error. The caller stops it. */
export const spawnWithOutput = async (
  name: ServerName,
  flags: readonly string[],
  [stdout, stderr]: readonly [number | 'pipe', number | 'pipe'],
): Promise<ChildProcess> =>
  spawn(process.execPath, [await scriptOf(name), ...flags], {
    cwd: root,
    stdio: ['ignore', stdout, stderr],
  })
