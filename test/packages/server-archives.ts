/** The server packages, built once for all tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Artefact } from '../../deploy/package/archives.ts'
import { spawnNode, succeed } from '../support/child.ts'
import { madeOnce } from '../support/made-once.ts'
import { root } from '../support/root.ts'

const SOURCES = [
  ...['relay-server', 'bridge-server', 'shared', 'deploy', 'fallback-node.js'],
  ...['LICENSE', 'package.json', 'package-lock.json', 'test/packages/write-servers.ts'],
]

const make = (folder: string): Promise<void> =>
  succeed(
    spawnNode(['--import', 'tsx', 'test/packages/write-servers.ts', folder]),
    'Building the server packages failed',
  )

/** Returns the archives of the current sources. */
export const serverArchives = async (): Promise<Artefact[]> => {
  const folder = await madeOnce({ folder: join(root, 'deploy/package/dist/servers'), sources: SOURCES, make })
  return readdirSync(folder).map(name => ({ name, bytes: readFileSync(join(folder, name)) }))
}
