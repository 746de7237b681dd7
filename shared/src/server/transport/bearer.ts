/** Bearer tokens of operators: `Authorization: Bearer …` (RFC 6750 §2.1), never in a URL. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { httpError, type RequestHead } from './http.ts'

const BEARER = /^Bearer +(\S+)$/i

/** Header of a 401 response. */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export const bearerOf = ({ headers }: RequestHead): string | undefined =>
  BEARER.exec(headers.get('authorization') ?? '')?.[1]

/** True if the request has the token, or none is configured. Compares in constant time. */
export const bears = (request: RequestHead, token: string | undefined): boolean =>
  token === undefined || timingSafeEqual(hashOf(bearerOf(request) ?? ''), hashOf(token))

/** Throws HttpError 401 unless the request has the token. */
export const refuseStranger = (request: RequestHead, token: string | undefined): void => {
  if (!bears(request, token)) throw httpError(401, 'operatorTokenWrong', {}, CHALLENGE)
}
