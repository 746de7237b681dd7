/** The WebSocket part of a server on uWebSockets.js: open connections, their frames, and closing. */
import type { WebSocket, WebSocketBehavior } from 'uWebSockets.js'
import { setTimeout as pause } from 'node:timers/promises'
import { type Budget, createRate } from '../limits/rate.ts'
import type { Refused } from '../limits/refusals.ts'
import { type Payers, type Shares, shareName } from '../limits/shares.ts'
import type { Logger } from '../process/log.ts'
import { createTurnClock } from '../process/turn.ts'
import { serverText } from '../reasons.ts'
import type { AddressTurns } from './address-turns.ts'
import type { Admission, Seat } from './admission.ts'
import { Connection, type SocketHandlers, SocketRefusal } from './connection.ts'
import type { HttpLimits } from './exchange.ts'
import { HttpError } from './http.ts'
import { type Accepted, createUpgrade, type Found } from './upgrades.ts'

/** WebSocket close code "service restart" (RFC 6455 registry). Clients reconnect at once. */
const SERVICE_RESTART = 1012
/** WebSocket close code "policy violation". Clients may reconnect, unlike after code 3000. */
const POLICY_VIOLATION = 1008
/** WebSocket close code for an internal error. */
const INTERNAL_ERROR = 1011
/** Maximum length of a single acknowledgement in bytes. */
const LONG = 1024
/** Milliseconds for close frames to be delivered before connections are cut. */
const CLOSE_GRACE = 100
/** Milliseconds between checks for clients that do not read. */
const TICK = 1000

/** Names of exceeded settings, by uWebSockets.js' reason for closing a connection. */
const REASONS: Readonly<Record<string, string>> = {
  'Received too big message': 'frame-bytes',
  'WebSocket timed out from inactivity': 'idle-seconds',
}

/**
 * `session` is undefined until the client is identified. `hasLostFrame` is true once uWebSockets.js has dropped a frame to
 * the client; the connection is then cut. `isDismissed` is true once the connection is closed for exceeding its rate. Its
 * queued frames are dropped.
 */
type Live<Session> = Budget & {
  connection: Connection
  session: Session | undefined
  seat: Seat
  hasLostFrame: boolean
  isDismissed: boolean
}

/**
 * Data attached to a connection: `found`, the result of the upgrade, until the connection opens, then `live`. `found`
 * contains the request's head, which an open connection does not keep.
 */
type UserData<Identity, Session> = {
  found: Found<Identity> | undefined
  live: Live<Session> | undefined
}

export type ConnectionsOptions<Identity, Session> = {
  handlers: SocketHandlers<Identity, Session>
  httpLimits: HttpLimits
  admission: Admission
  turns: AddressTurns
  shares: Shares
  /** Maximum unsent bytes of all clients together. */
  unsentTotal: number
  refused: Refused
  log: Logger
}

/** Creates the connections of a server and their uWebSockets.js behavior. An exception closes only its own connection. */
export const createConnections = <Identity, Session>(options: ConnectionsOptions<Identity, Session>) => {
  const { handlers, httpLimits, admission, turns, shares, unsentTotal, refused, log } = options
  const { limits } = handlers
  type Socket = WebSocket<UserData<Identity, Session>>
  const rate = createRate(
    limits.messageRate,
    limits.messageBurst,
    createTurnClock(() => performance.now()),
  )
  const open = new Set<Connection>()
  let unsent = 0
  let isStopping = false
  const upgrade = createUpgrade({
    handlers,
    httpLimits,
    admission,
    turns,
    refused,
    log,
    isStopping: () => isStopping,
    userDataOf: (found): UserData<Identity, Session> => ({ found, live: undefined }),
  })

  const fault = (connection: Connection, err: unknown): void => {
    log.error({ err }, 'a connection failed')
    connection.close(INTERNAL_ERROR, 'internal error')
  }

  /** Closes the connection of a client that could not be identified, or whose session could not be opened. */
  const refuseClient = (connection: Connection, thrown: unknown): void => {
    if (thrown instanceof SocketRefusal) connection.close(thrown.code, thrown.message)
    else if (thrown instanceof HttpError) connection.close(POLICY_VIOLATION, thrown.message)
    else fault(connection, thrown)
  }

  /** Counts unsent bytes, and disconnects a client over its share or the total limit. */
  const countUnsent = (connection: Connection, payers: Payers, change: number): void => {
    unsent += change
    if (change < 0) {
      shares.give(payers, 'unsent', -change)
      return
    }
    const spent = shares.exhausted(payers, 'unsent', change)
    shares.take(payers, 'unsent', change)
    if (!spent && unsent <= unsentTotal) return
    refused(spent ? shareName(spent, 'unsent') : 'unsent-total')
    setImmediate(() => connection.cut())
  }

  const createLive = (ws: Socket, seat: Seat): Live<Session> => {
    const connection = new Connection(ws, {
      onRoom: () => live.session && handlers.drain(live.session),
      onUnsent: change => countUnsent(connection, seat.payers, change),
      onCost: tokens => charge(live, tokens),
      onFault: err => fault(connection, err),
    })
    const live: Live<Session> = {
      connection,
      session: undefined,
      seat,
      hasLostFrame: false,
      isDismissed: false,
      ...rate.full(),
    }
    return live
  }

  /** Identifies the client and starts its session. Returns the cost in tokens, none if the connection has closed. */
  const start = (live: Live<Session>, { identify, cost }: Accepted<Identity>): number => {
    const { connection, seat } = live
    if (!connection.isOpen) return 0
    try {
      live.session = handlers.open(connection, identify(), seat.payers)
    } catch (thrown) {
      refuseClient(connection, thrown)
    }
    return cost
  }

  const begun = (ws: Socket): void => {
    const user = ws.getUserData()
    const { found } = user
    user.found = undefined
    if (!found) return
    if (found instanceof SocketRefusal) {
      ws.end(found.code, found.message)
      return
    }
    const { seat, cost } = found
    const live = createLive(ws, seat)
    user.live = live
    admission.sit(seat)
    open.add(live.connection)
    if (cost === 0) start(live, found)
    else if (!turns.take(seat.key, 0, () => start(live, found))) dismiss(live, 'address-rate')
  }

  const charge = (live: Live<Session>, tokens: number): void => {
    rate.spend(live, tokens)
    admission.spend(live.seat, tokens)
  }

  const dismiss = (live: Live<Session>, setting: 'message-rate' | 'address-rate'): void => {
    live.isDismissed = true
    const reason = setting === 'address-rate' ? 'addressOverMessageRate' : 'clientOverMessageRate'
    live.connection.close(POLICY_VIOLATION, serverText(reason, { setting }))
  }

  /**
   * Disconnects a client if it or its address has spent a whole burst of tokens beyond the point at which refusals
   * began.
   */
  const dismissOverdrawn = (live: Live<Session>): void => {
    if (rate.isOverdrawn(live)) dismiss(live, 'message-rate')
    else if (admission.isOverdrawn(live.seat)) dismiss(live, 'address-rate')
  }

  /** Refuses a frame over the rate. Returns its cost in tokens. */
  const refuse = (live: Live<Session>, session: Session, frame: Buffer): number => {
    if (frame.length > LONG) dismissOverdrawn(live)
    if (live.isDismissed) return 0
    const tokens = handlers.refuse(session, frame)
    if (tokens === 0) return 0
    refused(rate.allows(live) ? 'address-rate' : 'message-rate')
    charge(live, tokens)
    dismissOverdrawn(live)
    return tokens
  }

  /** Handles a frame and returns its cost in tokens. */
  const handle = (live: Live<Session>, frame: Buffer): number => {
    const { session } = live
    if (live.isDismissed || !session) return 0
    try {
      if (!rate.allows(live) || !admission.allows(live.seat)) return refuse(live, session, frame)
      const tokens = handlers.message(session, frame)
      charge(live, tokens)
      return tokens
    } catch (err) {
      fault(live.connection, err)
      return 1
    }
  }

  /** Queues a copied frame for a later turn. */
  const handleLater = (address: string, live: Live<Session>, frame: Buffer): void => {
    if (turns.wait(address, frame.length, () => handle(live, frame))) return
    refused('address-rate')
    dismiss(live, 'address-rate')
  }

  const receive = (ws: Socket, frame: ArrayBuffer): void => {
    const { live } = ws.getUserData()
    if (!live || live.hasLostFrame || live.isDismissed || isStopping) return
    // This view of uWebSockets.js' buffer is valid only during this call.
    const bytes = Buffer.from(frame)
    const { key } = live.seat
    if (key === undefined) handle(live, bytes)
    else if (turns.isFree(key)) turns.spend(key, handle(live, bytes))
    // The frame is copied, because it is handled after this call.
    else handleLater(key, live, Buffer.from(bytes))
  }

  /** Handles a pong. On a connection that lost a frame, a pong no longer confirms earlier frames. */
  const answered = (ws: Socket, ping: ArrayBuffer): void => {
    const { live } = ws.getUserData()
    if (!live?.session || live.hasLostFrame) return
    try {
      handlers.pong?.(live.session, Number(Buffer.from(ping)))
    } catch (err) {
      fault(live.connection, err)
    }
  }

  /**
   * Handles a frame dropped by uWebSockets.js, which would close the connection only after a timeout. Closes it now.
   */
  const dropped = (ws: Socket): void => {
    const { live } = ws.getUserData()
    if (!live || live.hasLostFrame) return
    live.hasLostFrame = true
    refused('unsent-bytes')
    setImmediate(() => live.connection.cut())
  }

  const ended = (ws: Socket, reason: ArrayBuffer): void => {
    admission.leave()
    const { live } = ws.getUserData()
    if (!live) return
    const broken = REASONS[Buffer.from(reason).toString()]
    if (broken) refused(broken)
    live.connection.detach()
    open.delete(live.connection)
    admission.rise(live.seat)
    try {
      if (live.session) handlers.close(live.session)
    } catch (err) {
      log.error({ err }, 'closing a connection failed')
    }
  }

  const cutStalled = (): void => {
    for (const connection of open) {
      if (connection.countStalled() * TICK < limits.stallSeconds * 1000) continue
      refused('stall-seconds')
      connection.cut()
    }
  }
  const ticking = setInterval(cutStalled, TICK)

  const behavior: WebSocketBehavior<UserData<Identity, Session>> = {
    maxPayloadLength: limits.frameBytes,
    maxBackpressure: limits.unsentBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: limits.idleSeconds,
    sendPingsAutomatically: true,
    maxLifetime: 0,
    upgrade,
    open: begun,
    message: receive,
    drain: ws => ws.getUserData().live?.connection.noticeReading(),
    dropped,
    ping: ws => {
      const { live } = ws.getUserData()
      if (!live) return
      charge(live, 1)
      dismissOverdrawn(live)
    },
    pong: answered,
    close: (ws, _code, reason) => ended(ws, reason),
  }
  return {
    behavior,
    count: () => open.size,
    /** Stops handling new frames. Resolves when the pending frames are answered. */
    settle: async (): Promise<void> => {
      isStopping = true
      await turns.settled()
      await handlers.settled()
    },
    /** Closes all connections. */
    close: async (): Promise<void> => {
      clearInterval(ticking)
      const last = [...open]
      for (const connection of last) connection.close(SERVICE_RESTART, 'restarting')
      if (last.length > 0) await pause(CLOSE_GRACE)
    },
  }
}
