/** The extension for tests as a newer version: the current one with another version number and data format. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBuilder, loadConfigFromFile, type Plugin } from 'vite'
import { writeFirefox } from '../../extension/firefox.ts'
import { builtExtension, SOURCES } from './build.ts'
import { madeOnce } from './made-once.ts'
import { root } from './root.ts'

export const NEWER = { version: '0.2.0', format: 1000 }

const replaced = (path: string, text: string, from: RegExp, to: string): string => {
  if (!from.test(text)) throw new Error(`${path} has no ${from}`)
  return text.replace(from, to)
}

const newerFormat: Plugin = {
  name: 'newer-format',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/wallet/storage/registry.ts') ? replaced(id, code, /FORMAT = \d+/, `FORMAT = ${NEWER.format}`) : null,
}

/** Copies the current version, and builds the background's script into the copy. No other script knows the format. */
const make = async (folder: string): Promise<void> => {
  await cp(await builtExtension(), folder, { recursive: true })
  const manifest = join(folder, 'manifest.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, replaced(manifest, text, /"version": "[\d.]+"/, `"version": "${NEWER.version}"`))
  const extension = join(root, 'extension')
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'test' }, join(extension, 'vite.config.ts'))
  const { plugins = [], build, environments } = loaded?.config ?? {}
  const builder = await createBuilder({
    configFile: false,
    root: extension,
    logLevel: 'error',
    plugins: [...plugins, newerFormat],
    build: { ...build, outDir: folder },
    environments: { background: environments?.background ?? {} },
  })
  const { background } = builder.environments
  if (!background) throw new Error('the extension has no background')
  await builder.build(background)
  await writeFirefox(folder, join(folder, '../firefox'))
}

/** Returns the folder of the newer version, built from the current sources. Firefox's is beside it. */
export const newerExtension = (): Promise<string> =>
  madeOnce({
    folder: join(root, 'extension/dist/newer/chrome'),
    sources: [...SOURCES, 'test/support/newer-extension.ts'],
    make,
  })
