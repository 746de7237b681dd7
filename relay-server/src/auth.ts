/** Who a connection is and whether it may be: the did:key its JWT proves, or, without one, a name of its own. */
import { hash, randomBytes } from 'node:crypto'
import { RpcError } from '@heliograph/shared/errors'
import { bearerOf } from '@heliograph/shared/server/bearer'
import { SocketRefusal } from '@heliograph/shared/server/connection'
import { HttpError, type RequestHead } from '@heliograph/shared/server/http'
import { assertSigned } from '@heliograph/shared/server/jwt'
import { readJwt } from '@heliograph/shared/wire/relay-auth'
import type { Client } from './mailbox/mailbox.ts'

/** Bytes of chance in the name of a connection: subscription ids are made from it, and nobody may guess them. */
const NAME_BYTES = 16
/** Tokens known to be signed. Android uses one for a day. */
const KNOWN_TOKENS = 10_000

/** Browsers and Android send it in the query, iOS in a header. */
const tokenOf = (request: RequestHead): string | undefined => request.query.get('auth') || bearerOf(request)

/** A page sees the reason of a close frame, but not of a refused upgrade. Only JavaScript clients ask for it. */
const wantsCloseEvent = ({ query }: RequestHead): boolean => query.get('useOnCloseEvent') === 'true'

/** Close code of every refusal: clients do not come back by themselves after it. */
const REFUSED = 3000

export type AuthRules = {
  /** `required` refuses who has no token. A bad one is refused in any case. */
  auth: 'optional' | 'required'
  /** The relay's public URLs; without any, a token for any relay passes. */
  publicUrls: readonly string[]
  /** Project ids that may connect; without any, all may. */
  projectIds: readonly string[]
  /** Origins of pages that may connect; without any, all may. */
  origins: readonly string[]
}

/** The client behind an upgrade request. `now` is in milliseconds. Throws HttpError or SocketRefusal. */
export type Identify = (request: RequestHead, now?: number) => Client

export const createIdentify = ({ auth, publicUrls, projectIds, origins }: AuthRules): Identify => {
  /** Hashes of tokens, the oldest first. */
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
    if (!projectId) throw new HttpError(400, 'Project ID is missing')
    if (!projectIds.includes(projectId)) throw new HttpError(403, 'Project not found')
  }

  /** What is no page in a browser names no origin, and could name any. */
  const refuseOrigin = ({ headers }: RequestHead): void => {
    const origin = headers.get('origin')
    if (origins.length > 0 && origin !== undefined && !origins.includes(origin.toLowerCase()))
      throw new HttpError(403, 'Unauthorized: origin not allowed')
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
    if (token === undefined && auth === 'required') throw new HttpError(401, 'JWT is missing')
    const client: Client =
      token === undefined ? `socket:${randomBytes(NAME_BYTES).toString('base64url')}` : clientOf(token, now)
    refuseOrigin(request)
    return client
  }

  return (request, now = Date.now()) => {
    try {
      return identify(request, now)
    } catch (thrown) {
      const refusal = thrown instanceof RpcError ? new HttpError(401, thrown.message) : thrown
      if (!(refusal instanceof HttpError) || !wantsCloseEvent(request)) throw refusal
      throw new SocketRefusal(REFUSED, refusal.message)
    }
  }
}
