/** Who a connection is: the did:key its JWT proves, or, without one, a name of its own. */
import { randomBytes } from 'node:crypto'
import { RpcError } from '@heliograph/shared/errors'
import { SocketRefusal } from '@heliograph/shared/server/connection'
import { HttpError, type RequestHead } from '@heliograph/shared/server/http'
import { verifyJwt } from '@heliograph/shared/wire/relay-auth'
import type { Client } from './mailbox.ts'

/** Bytes of chance in the name of a connection: subscription ids are made from it, and nobody may guess them. */
const NAME_BYTES = 16

const BEARER = /^Bearer +(\S+)$/i

/** Browsers and Android send it in the query, iOS in a header. */
const tokenOf = ({ query, headers }: RequestHead): string | undefined =>
  query.get('auth') || BEARER.exec(headers.get('authorization') ?? '')?.[1]

/** A page sees the reason of a close frame, but not of a refused upgrade. Only JavaScript clients ask for it. */
const wantsCloseEvent = ({ query }: RequestHead): boolean => query.get('useOnCloseEvent') === 'true'

/**
 * `audiences` are the relay's public URLs; without any, a token for any relay passes. `now` is in milliseconds. Throws
 * HttpError 401, or SocketRefusal 3000 for those who ask for it.
 */
export const identify = (request: RequestHead, audiences: readonly string[], now = Date.now()): Client => {
  const token = tokenOf(request)
  if (token === undefined) return `socket:${randomBytes(NAME_BYTES).toString('base64url')}`
  try {
    return verifyJwt(token, { now: now / 1000, ...(audiences.length > 0 && { audiences }) })
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown
    throw wantsCloseEvent(request) ? new SocketRefusal(thrown.code, thrown.message) : new HttpError(401, thrown.message)
  }
}
