/**
 * HTTP routing on plain data: a route is a function from a parsed request to a reply. Client errors become JSON replies
 * with a 4xx status here.
 */
import { show, ValueError } from '../../evm/hex.ts'
import type { Caller } from '../limits/addresses.ts'

/** Header names are in lower case. Repeated headers are joined with commas. */
export type RequestHead = {
  method: string
  path: string
  query: URLSearchParams
  headers: ReadonlyMap<string, string>
}
/** A request with a body in bytes. */
export type RawRequest = RequestHead & { caller: Caller; body: Uint8Array }
/** A request for a handler. `body` is the decoded JSON of a POST. */
export type Request = RequestHead & { caller: Caller; body: unknown }
/** Headers as received, with names in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[]
export type Reply = { status: number; headers: Readonly<Record<string, string>>; body: string }
export type Handler = (request: Request) => Reply | Promise<Reply>
/** Handlers of a path by method. GET also handles HEAD; OPTIONS is answered for all paths. */
export type Route = { GET?: Handler; POST?: Handler }
export type Routes = Readonly<Record<string, Route>>

/** Becomes the reply `{"error": message}` with this status. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

export const text = (body: string): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
})

export const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

/** Reply for a thrown value. Errors other than HttpError become a 500 without their text. */
export const errorReply = (thrown: unknown): Reply => {
  if (!(thrown instanceof HttpError)) return json({ error: 'Internal error' }, 500)
  const { headers, ...reply } = json({ error: thrown.message }, thrown.status)
  return { ...reply, headers: { ...headers, ...thrown.headers } }
}

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** The content coding that means no coding (RFC 9110 §8.4.1). */
const IDENTITY = 'identity'
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const parseBody = ({ headers, body }: RawRequest): unknown => {
  const coding = headers.get('content-encoding')
  if (coding !== undefined && coding.toLowerCase() !== IDENTITY)
    throw new HttpError(415, `Content-Encoding: ${show(coding)} is not supported`, { 'Accept-Encoding': IDENTITY })
  const type = headers.get('content-type')
  if (type === undefined || !JSON_TYPE.test(type))
    throw new HttpError(415, `Content-Type: ${show(type)} is not application/json`)
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new HttpError(400, 'body: is not JSON in UTF-8')
  }
}

const SECONDS_OF_PREFLIGHT = '86400'

/** Allows pages of any origin, because no route uses cookies. */
const preflight = (allow: string): Reply => ({
  status: 204,
  headers: {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': 'Content-Type, Authorization',
    'Access-Control-Max-Age': SECONDS_OF_PREFLIGHT,
  },
  body: '',
})

const dispatch = (routes: ReadonlyMap<string, Route>, raw: RawRequest): Reply | Promise<Reply> => {
  const route = routes.get(raw.path)
  if (!route) throw new HttpError(404, `path: ${show(raw.path)} does not exist`)
  const allow = [...(route.GET ? ['GET', 'HEAD'] : []), ...(route.POST ? ['POST'] : []), 'OPTIONS'].join(', ')
  if (raw.method === 'OPTIONS') return preflight(allow)
  if (route.GET && (raw.method === 'GET' || raw.method === 'HEAD')) return route.GET({ ...raw, body: undefined })
  if (route.POST && raw.method === 'POST') return route.POST({ ...raw, body: parseBody(raw) })
  throw new HttpError(405, `method: ${show(raw.method)} is not one of ${allow}`, { Allow: allow })
}

/** Turns a ValueError, which means invalid input, into a 400. */
const asHttpError = (thrown: unknown): unknown =>
  thrown instanceof ValueError ? new HttpError(400, thrown.message) : thrown

/** Dispatches a request. Never throws. */
export type Router = (raw: RawRequest) => Reply | Promise<Reply>

/** Calls `onFault` with errors that are not the client's fault. Returns synchronously if the handler does. */
export const createRouter = (routes: Routes, onFault: (fault: unknown) => void): Router => {
  const byPath = new Map(Object.entries(routes))
  const refuse = (thrown: unknown): Reply => {
    const error = asHttpError(thrown)
    if (!(error instanceof HttpError)) onFault(error)
    return errorReply(error)
  }
  return raw => {
    try {
      const reply = dispatch(byPath, raw)
      return reply instanceof Promise ? reply.catch(refuse) : reply
    } catch (thrown) {
      return refuse(thrown)
    }
  }
}

const DIGITS = /^[0-9]+$/

/**
 * Describes a defect in the framing of a request, from its headers as received. If parsers can disagree on where a
 * request ends, a second request can be smuggled in its body (RFC 9112 §6.3, §11.2).
 */
export const framingDefect = (headers: HeaderList): string | undefined => {
  const values = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const lengths = values('content-length')
  const encodings = values('transfer-encoding')
  if (lengths.length > 1) return 'Content-Length: is repeated'
  if (lengths.some(length => !DIGITS.test(length))) return 'Content-Length: must be decimal digits'
  if (lengths.length > 0 && encodings.length > 0) return 'Content-Length: comes with Transfer-Encoding'
  if (encodings.length > 1 || encodings.some(encoding => encoding.toLowerCase() !== 'chunked'))
    return 'Transfer-Encoding: must be chunked'
  const hosts = values('host')
  return hosts.length === 1 && hosts[0] !== '' ? undefined : 'Host: must come once'
}
