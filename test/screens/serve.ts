/** Builds the previews of the screens and serves them on a free port. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type InlineConfig, preview } from 'vite'
import { components } from '../../extension/components.ts'
import { root as repository } from '../support/root.ts'

const root = import.meta.dirname

/** Resolves to the page's URL and a function that stops the server. */
export const servePreviews = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const outDir = await mkdtemp(join(tmpdir(), 'heliograph-screens-'))
  const config: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [components()],
    publicDir: join(repository, 'extension/public'),
    // The previews have no extension API that could provide the texts.
    define: { 'import.meta.env.PROD': 'false' },
    build: { outDir, target: 'chrome123', minify: false, rolldownOptions: { input: join(root, 'preview.html') } },
    preview: { host: '127.0.0.1', port: 0 },
  }
  await build(config)
  const server = await preview(config)
  const [url] = server.resolvedUrls?.local ?? []
  if (!url) throw new Error('the preview server has no address')
  return {
    url: `${url}preview.html`,
    stop: async () => {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
