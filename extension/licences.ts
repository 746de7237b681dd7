/** The packages in the built extension, and the file with their licences. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { foldersOf } from '../deploy/package/folders.ts'
import { LICENCES, licencesOf } from '../deploy/package/licences.ts'

/** Packages from which the build uses only data and no modules: the Public Suffix List, and common passwords. */
export const DATA = ['node_modules/@zxcvbn-ts/language-common', 'node_modules/tldts']

const SUFFIXES = `The file public-suffixes.txt contains the rules of the Public Suffix List, which is under the Mozilla Public License
2.0 (https://mozilla.org/MPL/2.0/). The list is published at https://publicsuffix.org/list/public_suffix_list.dat.`

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const fontLicence = (): string =>
  `The font JetBrains Mono, of which the Latin letters are in fonts/\n\n${readFileSync(at('OFL.txt'), 'utf8').trim()}`

/** Adds the paths of all modules in the build. */
export const collect = (modules: Set<string>): Plugin => ({
  name: 'collect-modules',
  sharedDuringBuild: true,
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id)
  },
})

/**
 * Writes the licences of all third-party code in the build into its folder. `modules` are the paths of the build's
 * modules.
 */
export const writeLicences = (folder: string, modules: Iterable<string>): Promise<void> => {
  const folders = [...foldersOf(modules), ...DATA.map(path => at(`../${path}`))]
  return writeFile(join(folder, LICENCES), licencesOf(new Set(folders), [SUFFIXES, fontLicence()]))
}
