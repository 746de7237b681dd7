/** Servers whose output goes where a test decides. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './root.ts'

/** Starts a server with these flags, standard output and standard error. The caller stops it. */
export const spawnWithOutput = (
  folder: 'relay-server' | 'bridge-server',
  flags: readonly string[],
  [stdout, stderr]: readonly [number | 'pipe', number | 'pipe'],
): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', join(root, folder, 'src/main.ts'), ...flags], {
    cwd: root,
    stdio: ['ignore', stdout, stderr],
  })
