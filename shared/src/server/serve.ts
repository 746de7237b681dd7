/** The one HTTP and WebSocket server under the relay and the bridge, on uWebSockets.js. */

import {
  App,
  type HttpRequest,
  type HttpResponse,
  LIBUS_LISTEN_EXCLUSIVE_PORT,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import { createServer } from 'node:net'
import { flagOf, variableOf } from './config.ts'
import type { SocketHandlers } from './connection.ts'
import { claimOf, head, headerList, refuseFraming, type Send, senderOf, withBody } from './exchange.ts'
import { createRouter, framingDefect, json, type RawRequest, type Router, type Routes, text } from './http.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createPending, type Pending } from './pending.ts'
import type { Running, Service } from './run.ts'
import { createConnections } from './sockets.ts'

export type ServeOptions<Identity, Session> = {
  service: Service
  host: string
  /** 0 takes any free one. */
  port: number
  routes: Routes
  socket?: SocketHandlers<Identity, Session>
  log: Logger
  metrics: Metrics
  /** Lets go of what the service holds, when it has stopped or could not start. */
  dispose: () => Promise<void>
}

/** What every service answers besides its own routes. */
const commonRoutes = ({ name, version }: Service, metrics: Metrics): Routes => ({
  '/hello': { GET: () => text(`Hello World, this is ${name} v${version}`) },
  '/health': { GET: () => json({ status: 'ok' }) },
  '/metrics': {
    GET: async () => ({ status: 200, headers: { 'Content-Type': metrics.contentType }, body: await metrics.text() }),
  },
})

const httpHandler = (router: Router, pending: Pending) => {
  const answer = (raw: RawRequest, send: Send): void => {
    const reply = router(raw)
    if (reply instanceof Promise) pending.add(reply.then(later => send(later)))
    else send(reply)
  }
  return (res: HttpResponse, req: HttpRequest): void => {
    const headers = headerList(req)
    const request = head(req, headers)
    const send = senderOf(res, claimOf(res), request.method === 'HEAD')
    const defect = framingDefect(headers)
    if (defect !== undefined) refuseFraming(send, defect)
    else if (request.method === 'POST') withBody(res, send, body => answer({ ...request, body }, send))
    else answer({ ...request, body: new Uint8Array() }, send)
  }
}

const listen = (app: TemplatedApp, host: string, port: number): Promise<us_listen_socket | false> =>
  new Promise(resolve => app.listen(host, port, LIBUS_LISTEN_EXCLUSIVE_PORT, resolve))

/** Why an address cannot be had: uWebSockets.js says only that it cannot. */
const listenError = (host: string, port: number): Promise<string> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'))
    probe.listen(port, host, () => probe.close(() => resolve('unknown')))
  })

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'the port needs more rights',
  EADDRNOTAVAIL: 'this machine does not have the address',
  unknown: 'the system does not say why',
}

const refusal = async (host: string, port: number, { prefix }: Service): Promise<string> => {
  const code = await listenError(host, port)
  const setting = (name: string) => `${variableOf(prefix, name)} (${flagOf(name)})`
  return `cannot listen on ${host}:${port}: ${REASONS[code] ?? code}; change ${setting('port')} or ${setting('host')}`
}

/**
 * Starts a service. It answers /hello, /health and /metrics besides its routes, and upgrades any path if it has a socket.
 * Throws when the address cannot be had. `stop` takes nothing new, answers what is under way, and closes with 1012.
 */
export const serve = async <Identity, Session>(options: ServeOptions<Identity, Session>): Promise<Running> => {
  const { service, host, port, routes, socket, log, metrics, dispose } = options
  const pending = createPending()
  const connections = socket && createConnections(socket, log)
  metrics.gauge('connections', 'Open WebSocket connections', () => connections?.count() ?? 0)
  const onFault = (err: unknown) => log.error({ err }, 'a request failed')
  const router = createRouter({ ...commonRoutes(service, metrics), ...routes }, onFault)
  const app = App()
  if (connections) app.ws('/*', connections.behavior)
  app.any('/*', httpHandler(router, pending))
  const listening = await listen(app, host, port)
  if (!listening) {
    await dispose()
    throw new Error(await refusal(host, port, service))
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${us_socket_local_port(listening)}`,
    stop: async () => {
      us_listen_socket_close(listening)
      await pending.settled()
      await connections?.stop()
      app.close()
      await dispose()
    },
  }
}
