/** The libraries, the server packages and the image, made once for all tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Artefact } from '../../deploy/package/archives.ts'
import { spawnNode, succeed } from '../support/child.ts'
import { madeOnce } from '../support/made-once.ts'
import { root } from '../support/root.ts'

const SOURCES = [
  ...['relay-server', 'bridge-server', 'shared', 'deploy', 'fallback-node.js', 'LICENSE'],
  ...['package.json', 'package-lock.json', 'test/packages/write-packages.ts', 'test/packages/write-image.ts'],
]

/** Returns the files that a script of this folder writes into the folder that is its first argument. */
const written = async (folder: string, script: string, ...args: readonly string[]): Promise<Artefact[]> => {
  const made = await madeOnce({
    folder: join(root, folder),
    sources: SOURCES,
    make: fresh =>
      succeed(spawnNode(['--import', 'tsx', `test/packages/${script}`, fresh, ...args]), `${script} failed`),
  })
  return readdirSync(made)
    .toSorted()
    .map(name => ({ name, bytes: readFileSync(join(made, name)) }))
}

const PACKAGES = 'deploy/package/dist/packages'

/** Returns the archives of the libraries and of the servers, and their bills of materials. */
export const madePackages = (): Promise<Artefact[]> => written(PACKAGES, 'write-packages.ts')

/** Returns the image, which contains the made server packages, and its bill of materials. */
export const madeImage = async (): Promise<Artefact[]> => {
  await madePackages()
  return written('deploy/image/dist/image', 'write-image.ts', PACKAGES)
}

const archivesOf = async (names: RegExp): Promise<Artefact[]> =>
  (await madePackages()).filter(({ name }) => names.test(name))

export const serverArchives = (): Promise<Artefact[]> => archivesOf(/^heliograph-(?:relay|bridge)-.*\.tgz$/)

export const libraryArchives = (): Promise<Artefact[]> => archivesOf(/^heliograph-(?:evm|wire)-.*\.tgz$/)
