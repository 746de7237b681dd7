/** The archives of the libraries, built from the current sources, and their contents. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import { root } from '../support/root.ts'
import { libraryArchives } from './made.ts'

export const LIBRARIES = ['evm', 'wire']

type Manifest = {
  name: string
  version: string
  exports: Record<string, string | { types: string; default: string }>
  dependencies: Record<string, string>
}

export const artefacts = await libraryArchives()

const json = (text: string | undefined) => JSON.parse(text ?? '')

/** The manifests of the repository and of the workspace that contains the libraries. */
export const own: Manifest = json(await readFile(join(root, 'package.json'), 'utf8'))
export const shared: Manifest = json(await readFile(join(root, 'shared/package.json'), 'utf8'))

/** Returns the files of a library's archive by path, without `package/`. */
const filesOf = (library: string): ReadonlyMap<string, string> => {
  const archive = artefacts.find(({ name }) => name === `heliograph-${library}-${own.version}.tgz`)
  const files = parseTar(gunzipSync(archive?.bytes ?? new Uint8Array()))
  return new Map(files.map(({ name, text }) => [name.replace(/^package\//, ''), text]))
}

/** Files of the archives by library and path. */
export const files = new Map(LIBRARIES.map(library => [library, filesOf(library)]))
export const manifests = new Map(
  LIBRARIES.map(library => [library, json(files.get(library)?.get('package.json')) as Manifest]),
)

/** Returns the names by which a library's modules are imported, the index first. */
export const specifiersOf = (library: string): string[] =>
  Object.keys(manifests.get(library)?.exports ?? {})
    .filter(subpath => subpath !== './package.json')
    .map(subpath => `@heliograph/${library}${subpath.slice(1)}`)
