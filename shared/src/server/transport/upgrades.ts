/** Handles WebSocket upgrades: takes a seat for the client, and lets the service identify the client. */
import type { HttpRequest, HttpResponse, us_socket_context_t } from 'uWebSockets.js'
import type { Refused } from '../limits/refusals.ts'
import type { Logger } from '../process/log.ts'
import type { AddressTurns } from './address-turns.ts'
import { type Admission, type Seat, SOCKET_COST } from './admission.ts'
import { type SocketHandlers, SocketRefusal } from './connection.ts'
import { begin, type HttpLimits } from './exchange.ts'
import { errorReply, HttpError, httpError, type RequestHead } from './http.ts'

/** The supported WebSocket version (RFC 6455 §4.4). */
const VERSION = '13'

/** An accepted client. `identify` throws like `handlers.accept`, and `cost` is its cost in tokens. */
export type Accepted<Identity> = { seat: Seat; identify: () => Identity; cost: number }

export type Found<Identity> = Accepted<Identity> | SocketRefusal

export type UpgradeOptions<Identity> = {
  handlers: Pick<SocketHandlers<Identity, never>, 'accept'>
  httpLimits: HttpLimits
  admission: Admission
  turns: AddressTurns
  refused: Refused
  log: Logger
  isStopping: () => boolean
  /**
   * Makes the data attached to the connection. An open connection should drop `found`,
   * because it keeps the request's head.
   */
  userDataOf: (found: Found<Identity>) => object
}

/** Creates uWebSockets.js' handler of upgrades. Refusals are answered with their HTTP status. */
export const createUpgrade = <Identity>(options: UpgradeOptions<Identity>) => {
  const { handlers, httpLimits, admission, turns, refused, log, isStopping, userDataOf } = options

  /**
   * Takes a seat, and identifies the client if its address has tokens left in this turn. Otherwise the
   * connection opens now and the client is identified in a later turn, because uWebSockets.js may close a
   * connection that is upgraded later.
   */
  const accept = (request: RequestHead, res: HttpResponse): Found<Identity> => {
    if (isStopping()) throw httpError(503, 'stopping', {})
    if (request.headers.get('sec-websocket-version') !== VERSION)
      throw httpError(426, 'websocketVersionUnsupported', { version: VERSION }, { 'Sec-WebSocket-Version': VERSION })
    const seat = admission.seatOf(admission.callerOf(res.getRemoteAddress(), request.headers))
    const identify = (): Identity => handlers.accept(request, seat.payers)
    if (seat.key !== undefined && !turns.isFree(seat.key)) return { seat, identify, cost: SOCKET_COST }
    if (seat.key !== undefined) turns.spend(seat.key, SOCKET_COST)
    try {
      const identity = identify()
      return { seat, identify: () => identity, cost: 0 }
    } catch (thrown) {
      if (thrown instanceof SocketRefusal) return thrown
      throw thrown
    }
  }

  return (res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void => {
    const exchange = begin(res, req, httpLimits, refused)
    if (!exchange) return
    const { request, claim, send } = exchange
    const header = (name: string) => request.headers.get(`sec-websocket-${name}`) ?? ''
    try {
      const user = userDataOf(accept(request, res))
      claim.take(() => res.upgrade(user, header('key'), header('protocol'), header('extensions'), context))
    } catch (thrown) {
      if (!(thrown instanceof HttpError)) log.error({ err: thrown }, 'an upgrade failed')
      send(errorReply(thrown))
    }
  }
}
