/** The HTTP and WebSocket server of relay and bridge, on uWebSockets.js. */

import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { setTimeout as pause } from 'node:timers/promises'
import type { FittedCommon } from '../limits/machine.ts'
import type { Refused } from '../limits/refusals.ts'
import type { CommonConfig } from '../limits/rows.ts'
import type { Shares } from '../limits/shares.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { listenError, refusal } from '../process/listen-error.ts'
import type { Logger } from '../process/log.ts'
import { roomFor } from '../process/open-files.ts'
import { createPending, type Pending } from '../process/pending.ts'
import { type AddressTurns, createAddressTurns } from './address-turns.ts'
import { type Admission, createAdmission, HEARD_OF_ADDRESS, REQUEST_COST } from './admission.ts'
import { type AppOptions, openApps } from './apps.ts'
import { commonRoutes } from './common-routes.ts'
import type { SocketHandlers } from './connection.ts'
import { begin, type HttpLimits, type Send, withBody } from './exchange.ts'
import { createRouter, errorReply, httpError, type RawRequest, type Router, type Routes } from './http.ts'
import { createPeers, readPeers } from './peers.ts'
import type { Running, Service } from './service.ts'
import { createConnections } from './sockets.ts'
import { LIBUS_LISTEN_EXCLUSIVE_PORT, us_listen_socket_close, us_socket_local_port } from './uws.ts'

export type ServeOptions<Identity, Session> = {
  service: Service
  config: FittedCommon
  shares: Shares
  routes: Routes
  socket?: SocketHandlers<Identity, Session>
  log: Logger
  metrics: Metrics
  refused: Refused
  /** Reason why the service does not work, or undefined. */
  failure: () => string | undefined
  /** Reasons why the service works only partly. */
  degraded: () => readonly string[]
  /** Releases the service's resources after it has stopped or failed to start. */
  dispose: () => Promise<void>
}

type HttpParts = {
  router: Router
  pending: Pending
  admission: Admission
  turns: AddressTurns
  limits: HttpLimits
  refused: Refused
}

const httpHandler = ({ router, pending, admission, turns, limits, refused }: HttpParts) => {
  const answer = (raw: RawRequest, send: Send): void => {
    const reply = router(raw)
    if (reply instanceof Promise) pending.add(reply.then(later => send(later)))
    else send(reply)
  }
  return (res: HttpResponse, req: HttpRequest): void => {
    const exchange = begin(res, req, limits, refused)
    if (!exchange) return
    const { request, send, dismiss } = exchange
    const caller = admission.callerOf(res.getRemoteAddress(), request.headers)
    const answerWhole = (body: Uint8Array): void => {
      try {
        admission.request(caller)
        answer({ ...request, caller, body }, send)
      } catch (refusal) {
        dismiss(errorReply(refusal))
      }
    }
    const whole = (body: Uint8Array): void => {
      const act = (): number => {
        answerWhole(body)
        return REQUEST_COST
      }
      if (!turns.take(caller.key, body.length, act)) dismiss(errorReply(admission.overspent()))
    }
    if (request.method === 'POST') withBody(res, dismiss, limits, refused, whole)
    else whole(new Uint8Array())
  }
}

/** Fraction of `stopSeconds` for pending requests. The rest is for closing the store. */
const ANSWERING_PART = 0.8

/** uWebSockets.js' option for a port that other processes may listen on too. */
const SHARED_PORT = 0

/** Address to listen on. `options` are uWebSockets.js' options. */
type Address = { host: string; port: number; options: number }

/** Servers on one Redis may share a port: the system distributes connections (SO_REUSEPORT). */
const addressOf = ({ host, port, redisUrl }: Pick<CommonConfig, 'host' | 'port' | 'redisUrl'>): Address => ({
  host,
  port,
  options: redisUrl.length > 0 ? SHARED_PORT : LIBUS_LISTEN_EXCLUSIVE_PORT,
})

const listen = (app: TemplatedApp, { host, port, options }: Address): Promise<us_listen_socket | false> =>
  new Promise(resolve => app.listen(host, port, options, resolve))

/**
 * Retries after listening failed. uWebSockets.js does not report the reason, so Node tries the same address to get an
 * error code. If Node succeeds, the address has just become free. Throws an error with the reason.
 */
const listenAgain = async (app: TemplatedApp, address: Address, service: Service): Promise<us_listen_socket> => {
  const { host, port } = address
  const code = await listenError(host, port)
  const listening = code === undefined && (await listen(app, address))
  if (!listening) throw new Error(refusal(code, host, port, service.prefix))
  return listening
}

/** Starts listening. Throws if the certificate or the address cannot be used. */
const open = async (
  service: Service,
  config: Pick<CommonConfig, 'host' | 'port' | 'redisUrl' | 'tlsCert' | 'tlsKey'>,
  { prepare, log }: Pick<AppOptions, 'prepare' | 'log'>,
) => {
  const address = addressOf(config)
  const apps = openApps({ config, prefix: service.prefix, prepare, log })
  const { listener, scheme } = apps
  try {
    const listening = (await listen(listener, address)) || (await listenAgain(listener, address, service))
    const name = address.host.includes(':') ? `[${address.host}]` : address.host
    return { apps, listening, url: `${scheme}://${name}:${us_socket_local_port(listening)}` }
  } catch (thrown) {
    apps.stop()
    throw thrown
  }
}

/**
 * Starts a service. Adds the routes /hello, /health, /ready and /metrics, and upgrades any path if the service has a
 * socket. Throws if the certificate or the address cannot be used. `stop` refuses new requests, completes pending
 * requests, closes WebSockets with 1012, and resolves soon after `stopSeconds` at the latest.
 */
export const serve = async <Identity, Session>(options: ServeOptions<Identity, Session>): Promise<Running> => {
  const { service, config, shares, routes, socket, log, metrics, refused, failure, degraded, dispose } = options
  const onFault = (err: unknown) => log.error({ err }, 'a request failed')
  const pending = createPending(onFault)
  let port = 0
  const most = shares.limits.connections + HEARD_OF_ADDRESS
  const peers = createPeers({ most, look: () => readPeers(port) })
  const rules = { ...config, connections: roomFor(config.connections, log) }
  const admission = createAdmission({ rules, shares, peers, refused })
  const turns = createAddressTurns(onFault)
  const { unsentTotal } = config
  const connections =
    socket &&
    createConnections({ handlers: socket, httpLimits: config, admission, turns, shares, unsentTotal, refused, log })
  metrics.gauge('connections', 'Open WebSocket connections', () => connections?.count() ?? 0)
  metrics.gauge('failing', '1 while the service cannot do its work, else 0', () => (failure() === undefined ? 0 : 1))
  metrics.gauge('degraded', '1 while /health says degraded, else 0', () => Number(degraded().length > 0))
  const common = commonRoutes({ service, metrics, statusToken: config.statusToken, failure, degraded })
  let router = createRouter({ ...common, ...routes }, onFault)

  const count = (res: HttpResponse, change: number): void => {
    if (change < 0) admission.leave()
    else if (!admission.arrive(res.getRemoteAddress())) res.close()
  }
  const prepare = (app: TemplatedApp): void => {
    app.filter(count)
    if (connections) app.ws('/*', connections.behavior)
    app.any('/*', httpHandler({ router: raw => router(raw), pending, admission, turns, limits: config, refused }))
  }

  const { apps, listening, url } = await open(service, config, { prepare, log }).catch(async thrown => {
    await connections?.close()
    await dispose()
    throw thrown
  })
  port = us_socket_local_port(listening)
  metrics.gauge(
    'tls_certificate_expiry_timestamp_seconds',
    'Unix time at which the TLS certificate of new connections expires. Without TLS it has no value',
    () => {
      const certificate = apps.certificate()
      return certificate && certificate.expiresAt / 1000
    },
  )

  const halt = async (): Promise<void> => {
    const timers = new AbortController()
    const { signal } = timers
    const bound = (part: number) =>
      pause(part * config.stopSeconds * 1000, undefined, { signal }).catch(() => undefined)
    const end = bound(1)
    us_listen_socket_close(listening)
    apps.stop()
    router = () => errorReply(httpError(503, 'stopping', {}))
    await Promise.race([
      Promise.all([turns.settled().then(pending.settled), connections?.settle()]),
      bound(ANSWERING_PART),
    ])
    await connections?.close()
    apps.close()
    await Promise.race([dispose(), end])
    timers.abort()
  }
  let halted: Promise<void> | undefined
  const stop = (): Promise<void> => {
    halted ??= halt()
    return halted
  }
  return { url, stop }
}
