/** The documents and other files of this checkout. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Source } from './links.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** READMEs of what outsiders install by itself. */
const LIBRARIES = ['shared/src/evm/README.md', 'shared/src/wire/README.md']

/** Every Markdown file of the first level and of docs/, and the libraries' READMEs, sorted by path. */
export const documentPaths = (): string[] =>
  ['', 'docs/']
    .flatMap(folder => readdirSync(join(ROOT, folder)).map(name => `${folder}${name}`))
    .filter(path => path.endsWith('.md'))
    .concat(LIBRARIES)
    .toSorted()

/** Reads a file of this checkout. */
export const readSource: Source = path => {
  const file = join(ROOT, path)
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined
}
