/** Bundles programs that use a library, as a web page's build does. */
import { join } from 'node:path'
import { build, type Rollup } from 'vite'

const ENTRY = 'virtual-entry.js'

/** Bundles the program `code`. Its imports are resolved in `folder`. */
const bundled = async (folder: string, code: string, minify: boolean): Promise<Rollup.OutputChunk> => {
  const entry = join(folder, ENTRY)
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    plugins: [
      {
        name: 'entry',
        resolveId: id => (id === entry ? id : null),
        load: id => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: entry, output: { codeSplitting: false } },
    },
  })
  const outputs = Array.isArray(result)
    ? result.flatMap(({ output }) => output)
    : 'output' in result
      ? result.output
      : []
  const [chunk, ...others] = outputs
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('the bundle is not one file')
  return chunk
}

/** Returns the paths of the modules that have code in a program's bundle. */
export const keptModules = async (folder: string, code: string): Promise<string[]> => {
  const { modules } = await bundled(folder, code, false)
  return Object.entries(modules)
    .filter(([path, { renderedLength }]) => renderedLength > 0 && !path.endsWith(ENTRY))
    .map(([path]) => path)
}

/** Returns a program's minified bundle. */
export const minified = async (folder: string, code: string): Promise<string> =>
  (await bundled(folder, code, true)).code
