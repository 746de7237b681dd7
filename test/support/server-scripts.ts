/** Servers and clients as scripts, bundled once for all tests: bundles start several times faster than sources. */
import { join } from 'node:path'
import { spawnNode, succeed } from './child.ts'
import { madeOnce } from './made-once.ts'
import { root } from './root.ts'

export type ServerName = 'relay-server' | 'bridge-server'
export type ScriptName = ServerName | 'collect' | 'quota' | 'client-process' | 'loopback' | 'ending-server'

const WRITER = 'test/support/write-servers.ts'
const SOURCES = [
  ...['relay-server', 'bridge-server', 'shared'].flatMap(name => [`${name}/src`, `${name}/package.json`]),
  ...[WRITER, 'test/support/collect.ts', 'test/support/quota.ts', 'test/support/ending-server.ts', 'package-lock.json'],
  ...['client-process', 'clients', 'client-interfaces', 'v1-client', 'loopback'].map(name => `test/compat/${name}.ts`),
]

const make = (folder: string): Promise<void> =>
  succeed(spawnNode(['--import', 'tsx', WRITER, folder]), 'Bundling the scripts for tests failed')

let made: Promise<string> | undefined

/** Returns the absolute path of a server's script, or of a script that is preloaded into a server. */
export const scriptOf = async (name: ScriptName): Promise<string> => {
  made ??= madeOnce({ folder: join(root, 'test/support/dist/servers'), sources: SOURCES, make })
  return join(await made, `${name}.js`)
}
