/**
 * HTTP routing on plain data: a route is a function from a parsed request to a reply. Client errors become JSON replies
 * with a 4xx status here.
 */
import { show, ValueError } from '../../evm/value-error.ts'
import { type Catalogue, fillIn, type Values, type ValuesIn, valuesFor } from '../../reasons.ts'
import type { Caller } from '../limits/addresses.ts'
import { serverReasons } from '../reasons.ts'

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

type Headers = Readonly<Record<string, string>>
/** An error's reason, its values, and the text made from both. */
type Explained = { reason: string; values: Values; message: string }

/** Becomes the reply `{"error": message, "reason": …, "values": …}` with this status. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly reason: string
  readonly values: Values
  readonly headers: Headers

  constructor(status: number, { reason, values, message }: Explained, headers: Headers = {}) {
    super(message)
    this.status = status
    this.reason = reason
    this.values = values
    this.headers = headers
  }
}

/** Returns a function that makes HttpErrors with the reasons of one catalogue. */
export const httpErrorsOf =
  <C extends Catalogue>(catalogue: C) =>
  <R extends keyof C & string>(status: number, reason: R, values: ValuesIn<C[R]>, headers?: Headers): HttpError => {
    const text = catalogue[reason] ?? reason
    const kept = valuesFor(text, values)
    return new HttpError(status, { reason, values: kept, message: fillIn(text, kept) }, headers)
  }

/** Makes an error with a reason that both servers have. */
export const httpError = httpErrorsOf(serverReasons)

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

/** Returns the reply for a thrown value. Errors other than HttpError become a 500 without their text. */
export const errorReply = (thrown: unknown): Reply => {
  const error = thrown instanceof HttpError ? thrown : httpError(500, 'internal', {})
  const { message, reason, values } = error
  const { headers, ...reply } = json({ error: message, reason, values }, error.status)
  return { ...reply, headers: { ...headers, ...error.headers } }
}

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** The content coding that means no coding (RFC 9110 §8.4.1). */
const IDENTITY = 'identity'
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const parseBody = ({ headers, body }: RawRequest): unknown => {
  const coding = headers.get('content-encoding')
  if (coding !== undefined && coding.toLowerCase() !== IDENTITY)
    throw httpError(415, 'contentEncodingUnsupported', { value: show(coding) }, { 'Accept-Encoding': IDENTITY })
  const type = headers.get('content-type')
  if (type === undefined || !JSON_TYPE.test(type)) throw httpError(415, 'contentTypeUnsupported', { value: show(type) })
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw httpError(400, 'bodyNotJson', {})
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
  if (!route) throw httpError(404, 'pathUnknown', { value: show(raw.path) })
  const allow = [...(route.GET ? ['GET', 'HEAD'] : []), ...(route.POST ? ['POST'] : []), 'OPTIONS'].join(', ')
  if (raw.method === 'OPTIONS') return preflight(allow)
  if (route.GET && (raw.method === 'GET' || raw.method === 'HEAD')) return route.GET({ ...raw, body: undefined })
  if (route.POST && raw.method === 'POST') return route.POST({ ...raw, body: parseBody(raw) })
  throw httpError(405, 'httpMethodUnsupported', { value: show(raw.method), allowed: allow }, { Allow: allow })
}

/** Turns a ValueError, which means invalid input, into a 400. */
const asHttpError = (thrown: unknown): unknown => (thrown instanceof ValueError ? new HttpError(400, thrown) : thrown)

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
 * Returns the reason to refuse a request because of its framing, if there is one. `headers` are as received. If parsers
 * can disagree on where a request ends, a second request can be smuggled in its body (RFC 9112 §6.3, §11.2).
 */
export const framingDefect = (headers: HeaderList) => {
  const values = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const lengths = values('content-length')
  const encodings = values('transfer-encoding')
  if (lengths.length > 1) return 'contentLengthRepeated'
  if (lengths.some(length => !DIGITS.test(length))) return 'contentLengthInvalid'
  if (lengths.length > 0 && encodings.length > 0) return 'contentLengthWithEncoding'
  if (encodings.length > 1 || encodings.some(encoding => encoding.toLowerCase() !== 'chunked'))
    return 'transferEncodingUnsupported'
  const hosts = values('host')
  return hosts.length === 1 && hosts[0] !== '' ? undefined : 'hostInvalid'
}
