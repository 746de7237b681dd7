/** The WebSocket half of a server on uWebSockets.js: upgrades, connections, and their end. */
import type { WebSocketBehavior } from 'uWebSockets.js'
import { setTimeout as pause } from 'node:timers/promises'
import { Connection, type SocketHandlers, SocketRefusal } from './connection.ts'
import { claimOf, head, headerList, refuseFraming, senderOf } from './exchange.ts'
import { errorReply, framingDefect, HttpError, type RequestHead } from './http.ts'
import type { Logger } from './log.ts'

/** Close code for a restart: clients come back at once (RFC 6455 registry, "service restart"). */
const SERVICE_RESTART = 1012
/** Milliseconds in which close frames reach the peers before the connections are cut. */
const CLOSE_GRACE = 100
/** Unsent bytes at which a connection is closed, in longest frames: answers nobody reads pile up to here. */
const UNSENT_FRAMES = 4

/** What uWebSockets.js keeps with a connection, from the upgrade on or from the opening. */
type Accepted<Identity> = { identity: Identity } | { refusal: SocketRefusal }
type Live<Session> = { connection: Connection; session: Session }
type UserData<Identity, Session> = { accepted: Accepted<Identity>; live?: Live<Session> }

const accept = <Identity, Session>(
  handlers: SocketHandlers<Identity, Session>,
  request: RequestHead,
): Accepted<Identity> | { error: unknown } => {
  try {
    return { identity: handlers.accept(request) }
  } catch (thrown) {
    return thrown instanceof SocketRefusal ? { refusal: thrown } : { error: thrown }
  }
}

type Upgrade<Identity, Session> = NonNullable<WebSocketBehavior<UserData<Identity, Session>>['upgrade']>

const upgradeWith =
  <Identity, Session>(handlers: SocketHandlers<Identity, Session>, log: Logger): Upgrade<Identity, Session> =>
  (res, req, context) => {
    const headers = headerList(req)
    const request = head(req, headers)
    const claim = claimOf(res)
    const send = senderOf(res, claim, false)
    const defect = framingDefect(headers)
    if (defect !== undefined) return refuseFraming(send, defect)
    const secWebSocket = (name: string) => request.headers.get(`sec-websocket-${name}`) ?? ''
    const accepted = accept(handlers, request)
    if (!('error' in accepted)) {
      const [key, protocol, extensions] = [secWebSocket('key'), secWebSocket('protocol'), secWebSocket('extensions')]
      return claim(() => res.upgrade({ accepted }, key, protocol, extensions, context))
    }
    if (!(accepted.error instanceof HttpError)) log.error({ err: accepted.error }, 'upgrade failed')
    send(errorReply(accepted.error))
  }

/** The connections of a server, and the behavior that keeps them. */
export const createConnections = <Identity, Session>(handlers: SocketHandlers<Identity, Session>, log: Logger) => {
  const open = new Set<Connection>()
  let isStopping = false
  const behavior: WebSocketBehavior<UserData<Identity, Session>> = {
    maxPayloadLength: handlers.frameBytes,
    maxBackpressure: UNSENT_FRAMES * handlers.frameBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: handlers.idleSeconds,
    sendPingsAutomatically: true,
    maxLifetime: 0,
    upgrade: upgradeWith(handlers, log),
    open: ws => {
      const user = ws.getUserData()
      if ('refusal' in user.accepted) {
        ws.end(user.accepted.refusal.code, user.accepted.refusal.message)
        return
      }
      const connection = new Connection(ws, () => handlers.drain(session))
      const session = handlers.open(connection, user.accepted.identity)
      user.live = { connection, session }
      open.add(connection)
    },
    message: (ws, frame) => {
      const { live } = ws.getUserData()
      if (live && !isStopping) handlers.message(live.session, Buffer.from(frame))
    },
    drain: ws => ws.getUserData().live?.connection.noticeRoom(),
    close: ws => {
      const { live } = ws.getUserData()
      if (!live) return
      live.connection.detach()
      open.delete(live.connection)
      handlers.close(live.session)
    },
  }
  return {
    behavior,
    count: () => open.size,
    /** Takes no more frames, answers those it has, and says goodbye. */
    stop: async (): Promise<void> => {
      isStopping = true
      await handlers.settled()
      const last = [...open]
      for (const connection of last) connection.close(SERVICE_RESTART, 'restarting')
      if (last.length > 0) await pause(CLOSE_GRACE)
    },
  }
}
