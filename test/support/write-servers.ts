/**
 * Bundles the relay, the bridge and what tests preload into them into a folder, which is the only argument. The packages
 * that we do not write stay in node_modules.
 */
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { root } from './root.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('a folder is missing')

/** A module keeps the URL of its source, beside which it reads files. */
const urlsOfSources: Plugin = {
  name: 'urls-of-sources',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.ts') ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) : null,
}

await build({
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [urlsOfSources],
  ssr: { noExternal: [/^@heliograph\//], target: 'node' },
  build: {
    ssr: true,
    outDir: folder,
    target: 'node20.19',
    minify: false,
    rolldownOptions: {
      input: {
        'relay-server': 'relay-server/src/main.ts',
        'bridge-server': 'bridge-server/src/main.ts',
        collect: 'test/support/collect.ts',
        quota: 'test/support/quota.ts',
      },
      output: { entryFileNames: '[name].js' },
    },
  },
})
