/** Bundles a server with its packages and texts into one script, and its launcher into another. */
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { readPage } from '../../shared/src/server/transport/page.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD_INFO = fileURLToPath(new URL('../../shared/src/server/process/build.ts', import.meta.url))

const LAUNCHER = 'deploy/package/launcher'

/** Syntax of the start script, low enough for an unsupported version of Node to print that it is too old. */
const ANY_NODE = 'es2020'

const SHEBANG = '#!/usr/bin/env node'

/** File name of the server's script, which is beside the start script. */
export const SERVER_SCRIPT = 'server.js'

/** `start` is the command, which loads `serve`. `modules` are the absolute paths of all modules in both. */
export type Bundle = { start: string; serve: string; modules: readonly string[] }

/** Expressions by which sources read text files beside them. */
const TEXT = /readFileSync\(new URL\('([^']+)', import\.meta\.url\), 'utf8'\)/g
const PAGE = /readPage\(new URL\('([^']+)', import\.meta\.url\)\)/g
const FILE_OF_MODULE = /new URL\([^)]*import\.meta\.url\)/

/** Inlines the texts that sources read at run time. Fails the build if a source reads any other file. */
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

/**
 * Replaces the module that reads version and commit from the clone. A package names no commit, so that anyone can
 * rebuild it byte for byte.
 */
const fixedBuild = (version: string): Plugin => ({
  name: 'fixed-build',
  enforce: 'pre',
  load: id => (id === BUILD_INFO ? `export const readBuild = () => (${JSON.stringify({ version })})` : null),
})

/** Runs `act` with NODE_ENV=production, because Vite's output depends on it and test runners set another value. */
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

/** Keeps the server out of the start script, which imports it from the script beside it. */
const besideServer = (): Plugin => ({
  name: 'beside-server',
  enforce: 'pre',
  resolveId: source => (/^\.\/serve-\w+\.ts$/.test(source) ? { id: `./${SERVER_SCRIPT}`, external: true } : null),
})

type Script = { entry: string; target: string; banner: string; plugins: Plugin[] }

const buildScript = ({ entry, target, banner, plugins }: Script) =>
  build({
    root: ROOT,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    mode: 'production',
    plugins,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: `${LAUNCHER}/${entry}.ts`,
      write: false,
      target,
      rolldownOptions: {
        output: {
          format: 'es',
          codeSplitting: false,
          comments: false,
          banner,
          generatedCode: { profilerNames: false },
        },
        experimental: { attachDebugInfo: 'none' },
      },
    },
  })

const bundle = async (script: Script): Promise<Rolldown.OutputChunk> => {
  const output = await inProduction(() => buildScript(script))
  const [chunk, ...others] = (output as Rolldown.RolldownOutput).output
  if (others.length > 0) throw new Error(`${script.entry} became more than one file`)
  return chunk
}

/**
 * Bundles a server. The output depends only on the sources: it has no comments, and no paths or names of this machine.
 */
export const bundleServer = async (kind: 'relay' | 'bridge', version: string): Promise<Bundle> => {
  const start = await bundle({ entry: kind, target: ANY_NODE, banner: SHEBANG, plugins: [besideServer()] })
  const serve = await bundle({
    entry: `serve-${kind}`,
    target: 'node20.19',
    banner: '',
    plugins: [inlineTexts(), fixedBuild(version)],
  })
  return { start: start.code, serve: serve.code, modules: [...start.moduleIds, ...serve.moduleIds] }
}
