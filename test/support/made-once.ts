/**
 * Makes folders that several test files need and that take long to make: once for all of them, and again only after a
 * source changed.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withLock } from '../../setup.js'
import { root } from './root.ts'

const NOT_SOURCES = new Set(['dist', 'node_modules'])
const TEST = /\.(?:test|fixture)\.ts$/

/**
 * The parent of `folder` contains nothing else, except files that `make` puts beside it. `sources` are paths relative
 * to the repository.
 */
type Made = { folder: string; sources: readonly string[]; make: (fresh: string) => Promise<void> }

/** Returns the folder, made from the current sources. If making it fails, the previous folder stays. */
export const madeOnce = async ({ folder, sources, make }: Made): Promise<string> => {
  const dist = dirname(folder)
  const madeFrom = join(dist, 'made-from')
  await mkdir(dist, { recursive: true })
  return withLock(join(dist, 'lock'), async () => {
    const current = await fingerprintOf(sources)
    if (existsSync(folder) && (await readFile(madeFrom, 'utf8').catch(() => '')) === current) return folder
    const fresh = join(dist, 'fresh')
    await rm(fresh, { recursive: true, force: true })
    await make(fresh)
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
    await writeFile(madeFrom, current)
    return folder
  })
}

/** Returns a hash of the names and contents of the source files. */
const fingerprintOf = async (sources: readonly string[]): Promise<string> => {
  const files = (await Promise.all(sources.map(filesBelow))).flat().sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

/** Returns the paths of the files at or below a path, without tests. */
const filesBelow = async (path: string): Promise<string[]> => {
  if ((await stat(join(root, path))).isFile()) return TEST.test(path) ? [] : [path]
  const names = (await readdir(join(root, path))).filter(name => !NOT_SOURCES.has(name))
  return (await Promise.all(names.map(name => filesBelow(join(path, name))))).flat()
}
