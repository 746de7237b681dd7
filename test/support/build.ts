/** Builds the extension for tests and the demo, once for all of them and only after its sources changed. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from '../../setup.js'
import { spawnNode } from './child.ts'
import { root } from './root.ts'

const DIST = join(root, 'extension/dist')
const SOURCES = ['extension', 'shared/src', 'deploy/package', 'manifest.json', 'package.json', 'package-lock.json']
const NOT_SOURCES = new Set(['dist', 'node_modules'])

/** Folder of the extension built from the current sources. */
export const builtExtension = async (): Promise<string> => {
  await mkdir(DIST, { recursive: true })
  const folder = join(DIST, 'chrome')
  const builtFrom = join(DIST, 'built-from')
  return withLock(join(DIST, 'lock'), async () => {
    const sources = await fingerprint()
    if (existsSync(folder) && (await readFile(builtFrom, 'utf8').catch(() => '')) === sources) return folder
    await replace(folder)
    await writeFile(builtFrom, sources)
    return folder
  })
}

/** Builds into a new folder and swaps it in, so that a failed build keeps the last good one. */
const replace = async (folder: string) => {
  const fresh = join(DIST, 'fresh')
  await buildExtension(fresh)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}

/** Builds the extension of the repository at `from` into `folder`. Rejects with the output of the build. */
export const buildExtension = async (folder: string, from = root): Promise<void> => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--app', 'extension', '--outDir', folder, '--logLevel', 'warn']
  const child = spawnNode(args, from)
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', chunk => (said += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The extension was not built:\n${said.trim()}`)
}

/** Copies what the build reads. Packages stay where they are, but our own are those of the copy. */
export const copySources = async (to: string): Promise<void> => {
  const filter = (path: string) => !/\/(?:node_modules|dist)$/.test(path)
  for (const path of ['extension', 'shared', 'deploy/package', 'manifest.json', 'package.json', 'tsconfig.json'])
    await cp(join(root, path), join(to, path), { recursive: true, filter })
  const packages = join(to, 'node_modules')
  await mkdir(join(packages, '@heliograph'), { recursive: true })
  await symlink(join(to, 'shared'), join(packages, '@heliograph/shared'))
  const names = (await readdir(join(root, 'node_modules'))).filter(name => name !== '@heliograph')
  for (const name of names) await symlink(join(root, 'node_modules', name), join(packages, name))
}

/** Changes when a source file is added, removed, renamed or written. */
const fingerprint = async (): Promise<string> => {
  const files = (await Promise.all(SOURCES.map(filesBelow))).flat().sort()
  const lines = await Promise.all(files.map(async file => `${file} ${(await stat(join(root, file))).mtimeMs}`))
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Paths of the files at or below a path. */
const filesBelow = async (path: string): Promise<string[]> => {
  if ((await stat(join(root, path))).isFile()) return [path]
  const names = (await readdir(join(root, path))).filter(name => !NOT_SOURCES.has(name))
  return (await Promise.all(names.map(name => filesBelow(join(path, name))))).flat()
}
