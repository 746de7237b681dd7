/** Requests and answers of uWebSockets.js, to and from plain data. Its objects are valid only as long as it says. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { errorReply, framingDefect, type HeaderList, HttpError, type Reply, type RequestHead } from './http.ts'
import type { Refused } from './refusals.ts'

const NO_CONTENT = 204

const COMMON_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' }

export type HttpLimits = { headerBytes: number; bodyBytes: number }

/** Runs at most one answer to a request, and none when the client has gone. */
type Claim = (answer: () => void) => void
export type Send = (reply: Reply) => void

/** A request and the ways to answer it: `dismiss` ends the connection, too. */
export type Exchange = { request: RequestHead; claim: Claim; send: Send; dismiss: Send }

const claimOf = (res: HttpResponse): Claim => {
  let isOver = false
  res.onAborted(() => {
    isOver = true
  })
  return answer => {
    if (isOver) return
    isOver = true
    answer()
  }
}

const statusLine = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`
const fieldsOf = (headers: Reply['headers']) => Object.entries({ ...COMMON_HEADERS, ...headers })

/** Sends the body as far as the client takes it, and the rest when it has. */
const sendBody = (res: HttpResponse, body: string): void => {
  const length = Buffer.byteLength(body)
  const [, isDone] = res.tryEnd(body, length)
  if (isDone) return
  const bytes = Buffer.from(body)
  res.onWritable(offset => res.tryEnd(bytes.subarray(offset), length)[0])
}

/**
 * Answers. While an answer is owed, the parser drops a connection that brings another request. So an answer that the
 * client does not take stays owed: one that only asks cannot fill the memory. An answer without a body gives no sign of
 * that, and is owed to the end of the turn in any case.
 */
const senderOf =
  (res: HttpResponse, claim: Claim, isHead: boolean): Send =>
  ({ status, headers, body }) => {
    const write = (): void => {
      res.writeStatus(statusLine(status))
      for (const [name, value] of fieldsOf(headers)) res.writeHeader(name, value)
      // A length given to endWithoutBody itself would be waited for.
      if (isHead) res.writeHeader('Content-Length', `${Buffer.byteLength(body)}`).endWithoutBody()
      else if (status === NO_CONTENT) res.endWithoutBody()
      else sendBody(res, body)
    }
    const answer = (): void => claim(() => void res.cork(write))
    if (isHead || status === NO_CONTENT) setImmediate(answer)
    else answer()
  }

/** What uWebSockets.js holds back to send together, in bytes. Anything longer leaves at once. */
const HELD_BACK = 16 * 1024
/** Milliseconds in which a client reads why it was dismissed, before its connection is cut. */
const DISMISSAL = 200

/**
 * Answers and ends the connection; what else it brings, as a request hidden in a body, is not answered. The whole answer
 * goes out in the place of the status line, which leaves it owed, and is made long enough not to be held back and lost
 * when the parser drops the connection. The end of that line is the end of the body.
 */
const dismisserOf =
  (res: HttpResponse, claim: Claim): Send =>
  ({ status, headers, body }) => {
    const padded = body.padEnd(HELD_BACK)
    const fields = [
      ...fieldsOf(headers),
      ['Connection', 'close'],
      ['Content-Length', Buffer.byteLength(padded) + '\r\n'.length],
    ]
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
    res.cork(() => {
      res.writeStatus(`${statusLine(status)}\r\n${lines.join('')}\r\n${padded}`)
    })
    setTimeout(claim, DISMISSAL, () => res.close()).unref()
  }

const headerList = (req: HttpRequest): HeaderList => {
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

/** `: ` and the end of a line; two spaces, the version and the end of the request line. */
const BYTES_A_HEADER = 4
const BYTES_A_REQUEST = 12

const bytesOf = (method: string, path: string, query: string, list: HeaderList): number => {
  let bytes = method.length + path.length + query.length + BYTES_A_REQUEST
  for (const [name, value] of list) bytes += name.length + value.length + BYTES_A_HEADER
  return bytes
}

/**
 * Reads the head of a request. Undefined when it broke a rule that needs no route to know, and was dismissed. A POST must
 * say how long it is: the parser hides the headers after one without a name, a length among them, and would read the body
 * as the next request.
 */
export const begin = (
  res: HttpResponse,
  req: HttpRequest,
  { headerBytes }: HttpLimits,
  refused: Refused,
): Exchange | undefined => {
  const list = headerList(req)
  const [method, path, query] = [req.getCaseSensitiveMethod(), req.getUrl(), req.getQuery() ?? '']
  const claim = claimOf(res)
  const dismiss = dismisserOf(res, claim)
  const defect = framingDefect(list)
  if (defect !== undefined) {
    refused('framing')
    dismiss(errorReply(new HttpError(400, defect)))
    return undefined
  }
  if (method === 'POST' && !list.some(([name]) => name === 'content-length' || name === 'transfer-encoding')) {
    refused('framing')
    dismiss(errorReply(new HttpError(411, 'Content-Length: is missing')))
    return undefined
  }
  if (bytesOf(method, path, query, list) > headerBytes) {
    refused('header-bytes')
    dismiss(errorReply(new HttpError(431, `head: is longer than ${headerBytes} bytes (header-bytes)`)))
    return undefined
  }
  const request = { method, path, query: new URLSearchParams(query), headers: joined(list) }
  return { request, claim, send: senderOf(res, claim, method === 'HEAD'), dismiss }
}

/** Calls back with the whole body, or dismisses one that is too large. */
export const withBody = (
  res: HttpResponse,
  dismiss: Send,
  { bodyBytes }: HttpLimits,
  refused: Refused,
  use: (body: Uint8Array) => void,
): void => {
  const chunks: Buffer[] = []
  let length = 0
  res.onData((chunk, isLast) => {
    if (length > bodyBytes) return
    length += chunk.byteLength
    if (length > bodyBytes) {
      chunks.length = 0
      refused('body-bytes')
      dismiss(errorReply(new HttpError(413, `body: is longer than ${bodyBytes} bytes (body-bytes)`)))
      return
    }
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) use(Buffer.concat(chunks))
  })
}
