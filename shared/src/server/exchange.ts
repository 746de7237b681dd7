/** Requests and answers of uWebSockets.js, to and from plain data. Its objects are valid only as long as it says. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { errorReply, HttpError, type Reply, type RequestHead } from './http.ts'

/** Bytes of the largest request body. */
export const BODY_BYTES = 64 * 1024

const NO_CONTENT = 204

const COMMON_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' }

type HeaderList = readonly (readonly [name: string, value: string])[]

export const headerList = (req: HttpRequest): HeaderList => {
  const list: [string, string][] = []
  req.forEach((name, value) => {
    list.push([name, value])
  })
  return list
}

const joined = (list: HeaderList): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  for (const [name, value] of list) {
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

export const head = (req: HttpRequest, headers: HeaderList): RequestHead => ({
  method: req.getCaseSensitiveMethod(),
  path: req.getUrl(),
  query: new URLSearchParams(req.getQuery() ?? ''),
  headers: joined(headers),
})

/** Runs at most one answer to a request, and none when the client has gone. */
type Claim = (answer: () => void) => void
export type Send = (reply: Reply, closing?: 'close') => void

export const claimOf = (res: HttpResponse): Claim => {
  let isOver = false
  res.onAborted(() => {
    isOver = true
  })
  return answer => {
    if (isOver) return
    isOver = true
    res.cork(answer)
  }
}

export const senderOf =
  (res: HttpResponse, claim: Claim, isHead: boolean): Send =>
  ({ status, headers, body }, closing) =>
    claim(() => {
      res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
      for (const [name, value] of Object.entries({ ...COMMON_HEADERS, ...headers })) res.writeHeader(name, value)
      // A length given to endWithoutBody itself would be waited for. What follows the last answer is of no matter.
      if (closing === 'close') res.end(body, true)
      else if (isHead) res.writeHeader('Content-Length', `${Buffer.byteLength(body)}`).endWithoutBody()
      else if (status === NO_CONTENT) res.endWithoutBody()
      else res.end(body)
    })

/**
 * Refuses a request of doubtful framing and ends its connection. The answer is left for the end of the turn: while it
 * is owed, the parser drops the connection rather than read on, so a request hidden in the body is never answered.
 */
export const refuseFraming = (send: Send, defect: string): void => {
  setImmediate(() => send(errorReply(new HttpError(400, defect)), 'close'))
}

/** Calls back with the whole body, or refuses one that is too large. */
export const withBody = (res: HttpResponse, send: Send, use: (body: Uint8Array) => void): void => {
  const chunks: Buffer[] = []
  let length = 0
  res.onData((chunk, isLast) => {
    length += chunk.byteLength
    if (length > BODY_BYTES) {
      chunks.length = 0
      send(errorReply(new HttpError(413, `body: is longer than ${BODY_BYTES} bytes`)), 'close')
      return
    }
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) use(Buffer.concat(chunks))
  })
}
