/** Authenticates connections: by the did:key of a JWT, or with a random name if there is no token. */
import { hash, randomBytes } from 'node:crypto'
import { RpcError } from '@heliograph/shared/errors'
import { bearerOf } from '@heliograph/shared/server/transport/bearer'
import { SocketRefusal } from '@heliograph/shared/server/transport/connection'
import { HttpError, type RequestHead } from '@heliograph/shared/server/transport/http'
import { assertSigned } from '@heliograph/shared/server/transport/jwt'
import { readJwt } from '@heliograph/shared/wire/relay-auth'
import type { Client } from './mailbox/mailbox.ts'
import { relayHttpError } from './reasons.ts'

/** Random bytes in an anonymous client's name. Subscription ids are derived from the name and must not be guessable. */
const NAME_BYTES = 16
/** Maximum number of verified tokens in the cache. Android clients use one token for a day. */
const KNOWN_TOKENS = 10_000

/** Browsers and Android send the token in the query, iOS in a header. */
const tokenOf = (request: RequestHead): string | undefined => request.query.get('auth') || bearerOf(request)

/**
 * True if the client wants a refusal in a close frame. Web pages can read a close frame's reason, but not the response
 * to a refused upgrade.
 */
const wantsCloseEvent = ({ query }: RequestHead): boolean => query.get('useOnCloseEvent') === 'true'

/** WebSocket close code of refusals. Clients do not reconnect after it. */
const REFUSED = 3000

export type AuthRules = {
  /** `required` refuses clients without a token. Invalid tokens are always refused. */
  auth: 'optional' | 'required'
  /** Public URLs of the relay. If empty, tokens with any audience are accepted. */
  publicUrls: readonly string[]
  /** Project ids that may connect. If empty, all may. */
  projectIds: readonly string[]
  /** Origins of web pages that may connect. If empty, all may. */
  origins: readonly string[]
}

/** Returns the client of an upgrade request. `now` is in milliseconds. Throws HttpError or SocketRefusal. */
export type Identify = (request: RequestHead, now?: number) => Client

export const createIdentify = ({ auth, publicUrls, projectIds, origins }: AuthRules): Identify => {
  /** Hashes of verified tokens, oldest first. */
  const known = new Set<string>()
  const audiences = publicUrls.length > 0 && { audiences: publicUrls }

  const remember = (mark: string): void => {
    known.add(mark)
    for (const oldest of known) {
      if (known.size <= KNOWN_TOKENS) return
      known.delete(oldest)
    }
  }

  const refuseProject = ({ query }: RequestHead): void => {
    if (projectIds.length === 0) return
    const projectId = query.get('projectId')
    if (!projectId) throw relayHttpError(400, 'projectMissing', {})
    if (!projectIds.includes(projectId)) throw relayHttpError(403, 'projectUnknown', {})
  }

  /** Only browsers send a truthful Origin header. Other clients are not checked. */
  const refuseOrigin = ({ headers }: RequestHead): void => {
    const origin = headers.get('origin')
    if (origins.length > 0 && origin !== undefined && !origins.includes(origin.toLowerCase()))
      throw relayHttpError(403, 'originRefused', {})
  }

  const clientOf = (token: string, now: number): Client => {
    const claimed = readJwt(token, { now: now / 1000, ...audiences })
    const mark = hash('sha256', token, 'base64')
    if (!known.has(mark)) {
      assertSigned(claimed)
      remember(mark)
    }
    return claimed.client
  }

  const identify = (request: RequestHead, now: number): Client => {
    refuseProject(request)
    const token = tokenOf(request)
    if (token === undefined && auth === 'required') throw relayHttpError(401, 'tokenMissing', {})
    const client: Client =
      token === undefined ? `socket:${randomBytes(NAME_BYTES).toString('base64url')}` : clientOf(token, now)
    refuseOrigin(request)
    return client
  }

  return (request, now = Date.now()) => {
    try {
      return identify(request, now)
    } catch (thrown) {
      const refusal = thrown instanceof RpcError ? new HttpError(401, thrown) : thrown
      if (!(refusal instanceof HttpError) || !wantsCloseEvent(request)) throw refusal
      throw new SocketRefusal(REFUSED, refusal.message)
    }
  }
}
