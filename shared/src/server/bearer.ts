/** The token of an operator, as requests bear it: `Authorization: Bearer …` (RFC 6750 §2.1), never in a URL. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { HttpError, type RequestHead } from './http.ts'

const BEARER = /^Bearer +(\S+)$/i

/** What a 401 asks for. */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** True if the request bears the token, or none is set. How long it takes says nothing about the token. */
export const bears = ({ headers }: RequestHead, token: string | undefined): boolean => {
  if (token === undefined) return true
  const [, given = ''] = BEARER.exec(headers.get('authorization') ?? '') ?? []
  return timingSafeEqual(hashOf(given), hashOf(token))
}

/** Throws HttpError 401 unless the request bears the token. */
export const refuseStranger = (request: RequestHead, token: string | undefined): void => {
  if (!bears(request, token))
    throw new HttpError(401, 'Authorization: must be the bearer token of this server', CHALLENGE)
}
