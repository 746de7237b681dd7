/**
 * Serves the demo site on 127.0.0.1, under a strict content security policy: the files of this folder and the published
 * clients of v1 and v2.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { transformWithOxc } from 'vite'

export type Site = {
  url: string
  /** Resolves when the port is closed. */
  ended: Promise<string>
  /** Closes the port and every open connection. */
  stop(): Promise<void>
}

/** Servers for the pages: the v1 page uses the bridge and the chain, the v2 page the relay. */
export type Peers = { bridge: string; chain: string; relay: string }

export type SiteOptions = {
  /** Port to listen on. 0, the default, picks a free port. */
  port?: number
  /** Without peers, the pages cannot connect. */
  peers?: Peers
}

const NOBODY: Peers = { bridge: '', chain: '', relay: '' }

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type File = { type: string; body: string | Buffer }

/** Starts the site. Rejects with the system's error if the port is in use. */
export const startSite = async ({ port = 0, peers = NOBODY }: SiteOptions = {}): Promise<Site> => {
  const files = await readFiles(peers)
  const reached = [socketOf(peers.bridge), peers.chain, socketOf(peers.relay)]
  return serveFiles(files, `${POLICY}; connect-src ${reached.join(' ')}`, port)
}

/** Serves files by path on 127.0.0.1, each with the content security policy. */
export const serveFiles = async (files: ReadonlyMap<string, File>, policy: string, port = 0): Promise<Site> => {
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

const socketOf = (url: string): string => url.replace('http', 'ws')

const { resolve } = createRequire(import.meta.url)
const V1_CLIENT = resolve('client-1.8/dist/umd/index.min.js')
const V2_CLIENT = join(dirname(resolve('@walletconnect/sign-client')), 'index.umd.js')
const QR_ENCODER = resolve('qr')

const readFiles = async ({ bridge, chain, relay }: Peers): Promise<Map<string, File>> => {
  const index = (await read('index.html')).replace('{chain}', chain)
  const v1 = (await read('v1.html')).replace('{bridge}', bridge).replace('{chain}', chain)
  const v2 = (await read('v2.html')).replace('{relay}', socketOf(relay))
  return new Map([
    ['/', { type: 'text/html', body: index }],
    ['/v1', { type: 'text/html', body: v1 }],
    ['/v2', { type: 'text/html', body: v2 }],
    ['/site.css', { type: 'text/css', body: await read('site.css') }],
    ['/walletconnect.js', { type: 'text/javascript', body: await readFile(V1_CLIENT, 'utf8') }],
    ['/sign-client.js', { type: 'text/javascript', body: await readFile(V2_CLIENT, 'utf8') }],
    ['/qr.js', { type: 'text/javascript', body: await readFile(QR_ENCODER, 'utf8') }],
    ...(await Promise.all(['page.ts', 'site.ts', 'v1.ts', 'v2.ts', QR].map(script))),
  ])
}

/** A relative path above the site's root. Browsers resolve it at the root, so they request it without the dots. */
const QR = '../../extension/src/ui/model/qr.ts'

/**
 * Returns a script as JavaScript, under the name by which other scripts import it. The content security policy permits
 * no import map, so this replaces the path in the encoder's import.
 */
const script = async (name: string): Promise<[string, File]> => {
  const { code } = await transformWithOxc(await read(name), name, { sourcemap: false })
  const body = code.replace(/from (['"])qr\1/, "from '/qr.js'")
  return [new URL(name, 'http://site').pathname, { type: 'text/javascript', body }]
}

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
