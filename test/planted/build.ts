/**
 * Builds the extension for tests with hostile packages. One build serves all runs: every bundled package calls the plant during
 * evaluation, and a copy of the build selects the packages in which the plant is active.
 */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBuilder, loadConfigFromFile, type Plugin } from 'vite'
import { root } from '../support/root.ts'

export type PlantedBuild = {
  /** The packages in the bundles of the worker and the wallet's pages. */
  packages: readonly string[]
  /** Entries of the extension, with their source files in order of evaluation. */
  entries: ReadonlyMap<string, readonly string[]>
  /** Writes a copy. `isOpen` disables the freeze and leaves the browser's API accessible. */
  write(copy: { planted: readonly string[]; recorder: string; isOpen: boolean; to: string }): Promise<void>
}

/** The package that gets the browser's API. It is not an ES module, so the plant runs in the module that imports it. */
export const API_PACKAGE = 'webextension-polyfill'

const PLANT = join(root, 'test/planted/plant.js')
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/
/** Scripts that run in websites, where the page controls the built-in functions. */
const WEB_SCRIPTS = ['content', 'inpage', 'as_metamask', 'as_ethereum']

/** Statements of the hardening that a copy can disable. */
const SWITCHED = [
  { file: '/hardening/before-packages.ts', statement: 'refuseInterception()' },
  { file: '/hardening/before-packages.ts', statement: 'freezeBuiltIns()' },
  { file: '/browser/api.ts', statement: 'for (const name of NAMES)' },
]
const switchable = (code: string, id: string): string => {
  let switched = code
  for (const { file, statement } of SWITCHED.filter(one => id.endsWith(one.file))) {
    const at = switched.lastIndexOf(statement)
    if (at < 0) throw new Error(`${file} does not have the statement ${statement}`)
    switched = `${switched.slice(0, at)}if (!['__OPEN__'].includes('open')) ${switched.slice(at)}`
  }
  return switched
}

const planted = (code: string, name: string): string =>
  `import { plant as __plant } from ${JSON.stringify(PLANT)}\n__plant(${JSON.stringify(name)})\n${code}`

/** Builds the extension into `folder`. */
export const buildPlanted = async (folder: string): Promise<PlantedBuild> => {
  const packages = new Set<string>()
  const entries = new Map<string, readonly string[]>()
  const planting: Plugin = {
    name: 'planting',
    enforce: 'post',
    sharedDuringBuild: true,
    applyToEnvironment: ({ name }) => !WEB_SCRIPTS.includes(name),
    transform(code, id) {
      const name = PACKAGE.exec(id)?.[1]
      if (name === API_PACKAGE || /\.css$|\.svelte$/.test(id)) return null
      if (id.endsWith('/browser/api.ts')) return planted(switchable(code, id), API_PACKAGE)
      return name === undefined ? switchable(code, id) : planted(code, name)
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const id of chunk.moduleIds) packages.add(PACKAGE.exec(id)?.[1] ?? '')
        if (chunk.isEntry) entries.set(chunk.fileName, chunk.moduleIds)
      }
      packages.delete('')
    },
  }
  const extension = join(root, 'extension')
  // The mode for tests has a cheap key derivation: replaced built-in functions make the real one take a minute.
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'test' }, join(extension, 'vite.config.ts'))
  if (!loaded) throw new Error('the extension has no build configuration')
  const { plugins = [], ...config } = loaded.config
  const out = join(folder, 'chrome')
  const builder = await createBuilder({
    ...config,
    configFile: false,
    root: extension,
    logLevel: 'error',
    plugins: [...plugins, planting],
    build: { ...config.build, outDir: out, emptyOutDir: false, minify: false },
  })
  await builder.buildApp()

  return {
    packages: [...packages].toSorted(),
    entries,
    write: async ({ planted, recorder, isOpen, to }) => {
      await cp(out, to, { recursive: true })
      for (const name of (await readdir(to, { recursive: true })).filter(one => one.endsWith('.js'))) {
        const code = await readFile(join(to, name), 'utf8')
        const written = code
          .replaceAll('__PLANTED__', planted.join(' '))
          .replaceAll('__RECORDER__', recorder)
          .replaceAll('__OPEN__', isOpen ? 'open' : 'closed')
        await writeFile(join(to, name), written)
      }
    },
  }
}
