/** A proxy that records every requested host and forwards only to allowed hosts, which are on this machine. */
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RecordingProxy = {
  url: string
  /** Allows a host, given as `name:port`. */
  allow(host: string): void
  /** All requests in order. `host` is `name:port`, `what` the path or CONNECT. */
  asked: readonly { host: string; what: string }[]
  stop(): Promise<void>
}

export const startRecordingProxy = async (): Promise<RecordingProxy> => {
  const allowed = new Set<string>()
  const asked: { host: string; what: string }[] = []

  const server = createServer((request, response) => {
    const { host, port, pathname, search } = new URL(request.url ?? '', 'http://not-a-proxy-request')
    asked.push({ host, what: `${request.method} ${pathname}` })
    if (!allowed.has(host)) return response.writeHead(502).end()
    const { method, headers } = request
    const target = { host: '127.0.0.1', port, path: pathname + search, method, headers }
    const passed = ask(target, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
    return response
  })
  // Through a proxy, TLS and WebSocket connections start with CONNECT.
  server.on('connect', ({ url = '' }, socket) => {
    asked.push({ host: url, what: 'CONNECT' })
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    allow: host => void allowed.add(host),
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
