/** The token of an operator, as requests bear it: `Authorization: Bearer …` (RFC 6750 §2.1), never in a URL. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { HttpError, type RequestHead } from './http.ts'

const BEARER = /^Bearer +(\S+)$/i

/** What a 401 asks for. */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token that a request bears. */
export const bearerOf = ({ headers }: RequestHead): string | undefined =>
  BEARER.exec(headers.get('authorization') ?? '')?.[1]

/** True if the request bears the token, or none is set. How long it takes says nothing about the token. */
export const bears = (request: RequestHead, token: string | undefined): boolean =>
  token === undefined || timingSafeEqual(hashOf(bearerOf(request) ?? ''), hashOf(token))

/** Throws HttpError 401 unless the request bears the token. */
export const refuseStranger = (request: RequestHead, token: string | undefined): void => {
  if (!bears(request, token))
    throw new HttpError(401, 'Authorization: must be the bearer token of this server', CHALLENGE)
}
