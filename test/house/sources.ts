/** Lists the repository's files, without installed and built files, and the imports of a source file. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from '../support/root.ts'

const NOT_OURS = new Set(['.git', '.runtime', '.data', 'node_modules', 'dist', 'coverage', '.svelte-check'])

/** Returns the paths of all files below a folder, relative to the repository. */
export const filesBelow = (folder = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name) && !name.endsWith('.log'))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const SCRIPT = /<script[^>]*>(.*?)<\/script>/gs
const SHARED = '@heliograph/shared/'

/**
 * Returns the imports of a file in any form (static, type, dynamic, re-export): files as paths relative to the
 * repository, packages by name, Node's own modules as `node`.
 */
export const importsOf = (path: string, text: string): string[] => {
  const code = path.endsWith('.svelte') ? [...text.matchAll(SCRIPT)].map(([, script]) => script).join('\n') : text
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => target(path, fileName))
}

const target = (from: string, specifier: string): string => {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith(SHARED)) return `shared/src/${specifier.slice(SHARED.length)}.ts`
  if (specifier.startsWith('node:')) return 'node'
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
