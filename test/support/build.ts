/** Builds the released extension and the extension for tests. */
import { join } from 'node:path'
import { spawnNode, succeed } from './child.ts'
import { madeOnce } from './made-once.ts'
import { root } from './root.ts'

/** What the build of the extension reads. */
export const SOURCES = [
  'extension',
  'shared/src',
  'deploy/package',
  'manifest.json',
  'package.json',
  'package-lock.json',
]
const WRITER = 'test/support/write-extension.ts'
const FAILED = 'Building the extension failed'

/**
 * Returns the folder of the extension for tests (extension/test-values.ts), built from the current sources. Firefox's
 * is beside it.
 */
export const builtExtension = (): Promise<string> =>
  madeOnce({
    folder: join(root, 'extension/dist/test/chrome'),
    sources: SOURCES,
    make: folder => {
      const vite = join(root, 'node_modules/vite/bin/vite.js')
      const args = [vite, 'build', '--app', 'extension', '--outDir', folder, '--logLevel', 'warn', '--mode', 'test']
      return succeed(spawnNode(args, root), FAILED)
    },
  })

/** Returns the folder of the released extension, built from the current sources. Firefox's is beside it. */
export const releasedExtension = (): Promise<string> =>
  madeOnce({
    folder: join(root, 'extension/dist/chrome'),
    sources: [...SOURCES, WRITER],
    make: folder => succeed(spawnNode(['--import', 'tsx', WRITER, folder]), FAILED),
  })
