/** The libraries and the server packages, made once for all tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Artefact } from '../../deploy/package/archives.ts'
import { spawnNode, succeed } from '../support/child.ts'
import { madeOnce } from '../support/made-once.ts'
import { root } from '../support/root.ts'

const SOURCES = [
  ...['relay-server', 'bridge-server', 'shared', 'deploy', 'fallback-node.js'],
  ...['LICENSE', 'package.json', 'package-lock.json', 'test/packages/write-packages.ts'],
]

const make = (folder: string): Promise<void> =>
  succeed(spawnNode(['--import', 'tsx', 'test/packages/write-packages.ts', folder]), 'Making the packages failed')

/** Returns the archives and bills of materials of the current sources. */
export const madePackages = async (): Promise<Artefact[]> => {
  const folder = await madeOnce({ folder: join(root, 'deploy/package/dist/packages'), sources: SOURCES, make })
  return readdirSync(folder)
    .toSorted()
    .map(name => ({ name, bytes: readFileSync(join(folder, name)) }))
}

const archivesOf = async (names: RegExp): Promise<Artefact[]> =>
  (await madePackages()).filter(({ name }) => names.test(name))

export const serverArchives = (): Promise<Artefact[]> => archivesOf(/^heliograph-(?:relay|bridge)-.*\.tgz$/)

export const libraryArchives = (): Promise<Artefact[]> => archivesOf(/^heliograph-(?:evm|wire)-.*\.tgz$/)
