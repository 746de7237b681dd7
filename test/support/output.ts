/** Servers whose output goes where a test decides. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { root } from './root.ts'

/** A port that is free now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

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
