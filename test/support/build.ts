/** Builds the released extension and the extension for tests. */
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnNode, succeed } from './child.ts'
import { madeOnce } from './made-once.ts'
import { root } from './root.ts'

const SOURCES = ['extension', 'shared/src', 'deploy/package', 'manifest.json', 'package.json', 'package-lock.json']

/**
 * Returns the folder of the extension for tests (extension/test-values.ts), built from the current sources. Firefox's
 * is beside it.
 */
export const builtExtension = (): Promise<string> =>
  madeOnce({
    folder: join(root, 'extension/dist/test/chrome'),
    sources: SOURCES,
    make: folder => buildExtension(folder, root, ['--mode', 'test']),
  })

/** Returns the folder of the released extension, built from the current sources. Firefox's is beside it. */
export const releasedExtension = (): Promise<string> =>
  madeOnce({ folder: join(root, 'extension/dist/chrome'), sources: SOURCES, make: folder => buildExtension(folder) })

/** Builds the extension of the repository at `from` into `folder`. Rejects with the output of the build. */
export const buildExtension = async (folder: string, from = root, options: readonly string[] = []): Promise<void> => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--app', 'extension', '--outDir', folder, '--logLevel', 'warn', ...options]
  await succeed(spawnNode(args, from), 'Building the extension failed')
}

/**
 * Copies the sources that the build reads. Third-party packages are linked; the project's own packages come from the
 * copy.
 */
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
