/** Builds the previews of the screens, again only after a source changed, and serves them on a free port. */
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { build } from 'vite'
import { components } from '../../extension/components.ts'
import { madeOnce } from '../support/made-once.ts'
import { root as repository } from '../support/root.ts'
import { markComponents } from './mark-components.ts'

const root = import.meta.dirname
const SOURCES = [
  ...['extension/components.ts', 'extension/public', 'extension/src', 'shared/src', 'package-lock.json'],
  ...['fixtures', 'fixtures.ts', 'language.ts', 'mark-components.ts', 'preview.html', 'preview.ts', 'serve.ts'].map(
    name => `test/screens/${name}`,
  ),
]
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Path of a page that shows previews in an `iframe`, whose size can be changed without drawing. */
export const FRAME_PATH = '/frame.html'
const FRAME = `<!doctype html>
<title>Screens</title>
<style>
  body { margin: 0 }
  iframe { display: block; border: 0 }
</style>
<iframe title="Screen"></iframe>`

const buildPreviews = async (outDir: string): Promise<void> => {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [components(), markComponents()],
    publicDir: join(repository, 'extension/public'),
    // The previews have no extension API from which the pages could read texts.
    define: { 'import.meta.env.PROD': 'false' },
    build: { outDir, target: 'chrome123', minify: false, rolldownOptions: { input: join(root, 'preview.html') } },
  })
}

/** Returns the files of a folder, by URL path. */
const filesOf = async (folder: string): Promise<Map<string, Buffer>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(paths.map(async path => [path.slice(folder.length), await readFile(path)] as const)))
}

/** Serves the previews. Resolves with the page's URL and a function that stops the server. */
export const servePreviews = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const folder = join(root, 'dist/previews')
  const files = await filesOf(await madeOnce({ folder, sources: SOURCES, make: buildPreviews }))
  files.set(FRAME_PATH, Buffer.from(FRAME))
  // Files are sent uncompressed: to the same machine, compression takes longer than it saves.
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1')
    const type = TYPES[extname(pathname)] ?? 'application/octet-stream'
    response.writeHead(files.has(pathname) ? 200 : 404, { 'content-type': type, 'cache-control': 'max-age=3600' })
    response.end(files.get(pathname))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    // By name, because an IP address cannot have passkeys.
    url: `http://localhost:${port}/preview.html`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
