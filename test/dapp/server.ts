/** Serves the demo site on 127.0.0.1 from this folder: three files, a strict content policy, nothing from elsewhere. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { transformWithOxc } from 'vite'

export type Site = {
  url: string
  /** Resolves when the port is closed. */
  ended: Promise<string>
  /** Closes the port and every open connection. */
  stop(): Promise<void>
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type File = { type: string; body: string }

/** Starts the site. Port 0, the default, takes any free one. Rejects with the system's error when the port is taken. */
export const startSite = async ({ port = 0 }: { port?: number } = {}): Promise<Site> => {
  const files = await readFiles()
  const server = createServer((request, response) => {
    const file = files.get(new URL(request.url ?? '/', 'http://site').pathname)
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': `${file.type}; charset=utf-8`,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    return response.end(file.body)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const ended = once(server, 'close').then(() => 'the port is closed')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ended,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await ended
    },
  }
}

const readFiles = async (): Promise<Map<string, File>> => {
  const source = await read('site.ts')
  const { code } = await transformWithOxc(source, 'site.ts', { sourcemap: false })
  return new Map([
    ['/', { type: 'text/html', body: await read('index.html') }],
    ['/site.css', { type: 'text/css', body: await read('site.css') }],
    ['/site.js', { type: 'text/javascript', body: code }],
  ])
}

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
