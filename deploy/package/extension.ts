/** Packs the extension for the stores: one ZIP archive for each browser, from a separate build. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBuilder } from 'vite'
import { collect, DATA } from '../../extension/licences.ts'
import { type Artefact, type Contents, type Package, zip } from './archives.ts'
import { lock } from './lock.ts'
import { packagesOf } from './sbom.ts'

const EXTENSION = fileURLToPath(new URL('../../extension/', import.meta.url))

/** Folders that the build writes, each with its own manifest. */
const BROWSERS = ['chrome', 'firefox'] as const
const NAMES = { chrome: 'chromium', firefox: 'firefox' }

const filesOf = async (folder: string): Promise<Contents> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const files = paths.map(
    async path => [relative(folder, path).split(sep).join('/'), await readFile(path)] satisfies [string, Uint8Array],
  )
  return new Map(await Promise.all(files))
}

/** Packs a built extension. `folder` has `chrome` and `firefox`. Takes the version from the manifest. */
export const archivesOf = async (folder: string): Promise<Artefact[]> => {
  const archive = async (browser: (typeof BROWSERS)[number]): Promise<Artefact> => {
    const files = await filesOf(join(folder, browser))
    const { version } = JSON.parse(Buffer.from(files.get('manifest.json') ?? []).toString())
    return { name: `heliograph-${NAMES[browser]}-${version}.zip`, bytes: zip(files) }
  }
  return Promise.all(BROWSERS.map(archive))
}

/**
 * Builds the released extension for Chromium into `folder`, and for Firefox into the folder `firefox` beside it. Returns
 * the paths in package-lock.json of the npm packages in both.
 */
export const buildReleased = async (folder: string): Promise<readonly string[]> => {
  const modules = new Set<string>()
  const build = { outDir: folder }
  const builder = await createBuilder({ root: EXTENSION, logLevel: 'warn', build, plugins: [collect(modules)] })
  await builder.buildApp()
  return [...packagesOf(modules, lock), ...DATA].toSorted()
}

/** Builds the extension into a temporary folder, so that `extension/dist` stays as it is. */
export const extensionPackages = async (): Promise<Package[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-package-'))
  try {
    const packages = await buildReleased(join(folder, 'chrome'))
    return (await archivesOf(folder)).map(archive => ({ archive, packages }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
