/** Bundles a server with its packages and texts into one script. */
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { readPage } from '../../shared/src/server/transport/page.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD_INFO = fileURLToPath(new URL('../../shared/src/server/process/build.ts', import.meta.url))

const SHEBANG = '#!/usr/bin/env node'

/** `modules` are the absolute paths of everything in the script. */
export type Bundle = { script: string; modules: readonly string[] }

/** Texts that sources read from files beside them. */
const TEXT = /readFileSync\(new URL\('([^']+)', import\.meta\.url\), 'utf8'\)/g
const PAGE = /readPage\(new URL\('([^']+)', import\.meta\.url\)\)/g
const FILE_OF_MODULE = /new URL\([^)]*import\.meta\.url\)/

/** Puts the texts that sources read at run time into the script. Fails the build if a source reads any other file. */
const inlineTexts = (): Plugin => ({
  name: 'inline-texts',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.ts') || id === BUILD_INFO) return null
    const at = (path: string): URL => new URL(path, pathToFileURL(id))
    const inlined = code
      .replace(TEXT, (_, path) => JSON.stringify(readFileSync(at(path), 'utf8')))
      .replace(PAGE, (_, path) => JSON.stringify(readPage(at(path))))
    if (FILE_OF_MODULE.test(inlined)) this.error(`${id} reads a file that is not in the package`)
    return { code: inlined, map: null }
  },
})

/** Replaces the module that reads version and commit from the clone. A package has no commit, so that anyone can rebuild it. */
const fixedBuild = (version: string): Plugin => ({
  name: 'fixed-build',
  enforce: 'pre',
  load: id => (id === BUILD_INFO ? `export const readBuild = () => (${JSON.stringify({ version })})` : null),
})

/** Vite's output depends on the variable, which a test runner sets too. */
const inProduction = async <T>(act: () => Promise<T>): Promise<T> => {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    return await act()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

const buildScript = (entry: string, version: string) =>
  build({
    root: ROOT,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    mode: 'production',
    plugins: [inlineTexts(), fixedBuild(version)],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entry,
      write: false,
      target: 'node20.19',
      rolldownOptions: {
        output: {
          format: 'es',
          codeSplitting: false,
          comments: false,
          banner: SHEBANG,
          generatedCode: { profilerNames: false },
        },
        experimental: { attachDebugInfo: 'none' },
      },
    },
  })

/** The output depends on the sources only: no paths, names or comments of this machine. */
export const bundleServer = async (entry: string, version: string): Promise<Bundle> => {
  const output = await inProduction(() => buildScript(entry, version))
  const [chunk, ...others] = (output as Rolldown.RolldownOutput).output
  if (others.length > 0) throw new Error(`${entry} became more than one file`)
  return { script: chunk.code, modules: chunk.moduleIds }
}
