/**
 * Serves the demo site on 127.0.0.1: the files of this folder and the published v1 client, a strict content policy,
 * nothing from elsewhere.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { transformWithOxc } from 'vite'

export type Site = {
  url: string
  /** Resolves when the port is closed. */
  ended: Promise<string>
  /** Closes the port and every open connection. */
  stop(): Promise<void>
}

/** What the v1 page talks to. */
export type Peers = { bridge: string; chain: string }

export type SiteOptions = {
  /** 0, the default, takes any free one. */
  port?: number
  /** Without them the v1 page reaches nobody. */
  peers?: Peers
}

const NOBODY: Peers = { bridge: '', chain: '' }

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

/** Starts the site. Rejects with the system's error when the port is taken. */
export const startSite = async ({ port = 0, peers = NOBODY }: SiteOptions = {}): Promise<Site> => {
  const files = await readFiles(peers)
  const policy = `${POLICY}; connect-src ${peers.bridge.replace('http', 'ws')} ${peers.chain}`
  const server = createServer((request, response) => {
    const file = files.get(new URL(request.url ?? '/', 'http://site').pathname)
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': `${file.type}; charset=utf-8`,
      'content-security-policy': policy,
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

const CLIENT = createRequire(import.meta.url).resolve('client-1.8/dist/umd/index.min.js')

const readFiles = async ({ bridge, chain }: Peers): Promise<Map<string, File>> => {
  const v1 = (await read('v1.html')).replace('{bridge}', bridge).replace('{chain}', chain)
  return new Map([
    ['/', { type: 'text/html', body: await read('index.html') }],
    ['/v1', { type: 'text/html', body: v1 }],
    ['/site.css', { type: 'text/css', body: await read('site.css') }],
    ['/walletconnect.js', { type: 'text/javascript', body: await readFile(CLIENT, 'utf8') }],
    ...(await Promise.all(['page.ts', 'site.ts', 'v1.ts'].map(script))),
  ])
}

/** A script as JavaScript, under its own name, by which others import it. */
const script = async (name: string): Promise<[string, File]> => {
  const { code } = await transformWithOxc(await read(name), name, { sourcemap: false })
  return [`/${name}`, { type: 'text/javascript', body: code }]
}

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
