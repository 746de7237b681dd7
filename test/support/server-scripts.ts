/** Servers and clients as scripts, bundled once for all tests: they start in half the time that their sources take. */
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
  succeed(spawnNode(['--import', 'tsx', WRITER, folder]), 'The scripts of tests were not bundled')

let made: Promise<string> | undefined

/** Absolute path of the script of a server, or of one that is preloaded into it. */
export const scriptOf = async (name: ScriptName): Promise<string> => {
  made ??= madeOnce({ folder: join(root, 'test/support/dist/servers'), sources: SOURCES, make })
  return join(await made, `${name}.js`)
}
