/**
 * Bundles the relay, the bridge, the process of a published client and the tests' preloaded scripts into the folder
 * that is the only argument. Their packages are bundled too, because Node takes longer to find and load a hundred files
 * than to start the server. The published clients and native code stay in node_modules.
 */
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { root } from './root.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: write-servers.ts <folder>')

/** Modules keep the URL of their source file, because they read files beside it. */
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
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    outDir: folder,
    target: 'node20.19',
    minify: false,
    rolldownOptions: {
      external: [/^(?:uWebSockets\.js|@walletconnect\/|@reown\/|sign-client)/],
      input: {
        'relay-server': 'relay-server/src/main.ts',
        'bridge-server': 'bridge-server/src/main.ts',
        collect: 'test/support/collect.ts',
        quota: 'test/support/quota.ts',
        'client-process': 'test/compat/client-process.ts',
        loopback: 'test/compat/loopback.ts',
        'ending-server': 'test/support/ending-server.ts',
      },
      output: { entryFileNames: '[name].js' },
    },
  },
})
