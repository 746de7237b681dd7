/** The extension for tests as a newer version: the current one with another version number and data format. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildForTests, SOURCES } from './build.ts'
import { madeOnce } from './made-once.ts'
import { root } from './root.ts'

export const NEWER = { version: '0.2.0', format: 1000 }

/**
 * Copies the sources that the build reads. Third-party packages are linked; the project's own packages come from the
 * copy.
 */
const copySources = async (to: string): Promise<void> => {
  const filter = (path: string) => !/\/(?:node_modules|dist)$/.test(path)
  for (const path of ['extension', 'shared', 'deploy/package', 'manifest.json', 'package.json', 'tsconfig.json'])
    await cp(join(root, path), join(to, path), { recursive: true, filter })
  const packages = join(to, 'node_modules')
  await mkdir(join(packages, '@heliograph'), { recursive: true })
  await symlink(join(to, 'shared'), join(packages, '@heliograph/shared'))
  const names = (await readdir(join(root, 'node_modules'))).filter(name => name !== '@heliograph')
  for (const name of names) await symlink(join(root, 'node_modules', name), join(packages, name))
}

const replaceIn = async (path: string, from: RegExp, to: string): Promise<void> => {
  const text = await readFile(path, 'utf8')
  if (!from.test(text)) throw new Error(`${path} has no ${from}`)
  await writeFile(path, text.replace(from, to))
}

const make = async (folder: string): Promise<void> => {
  const sources = await mkdtemp(join(tmpdir(), 'heliograph-newer-'))
  try {
    await copySources(sources)
    await replaceIn(join(sources, 'package.json'), /"version": "[\d.]+"/, `"version": "${NEWER.version}"`)
    const registry = join(sources, 'extension/src/wallet/storage/registry.ts')
    await replaceIn(registry, /FORMAT = \d+/, `FORMAT = ${NEWER.format}`)
    await buildForTests(folder, sources)
  } finally {
    await rm(sources, { recursive: true, force: true })
  }
}

/** Returns the folder of the newer version, built from the current sources. Firefox's is beside it. */
export const newerExtension = (): Promise<string> =>
  madeOnce({
    folder: join(root, 'extension/dist/newer/chrome'),
    sources: [...SOURCES, 'test/support/newer-extension.ts'],
    make,
  })
