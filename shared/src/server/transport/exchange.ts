/**
 * Converts uWebSockets.js requests and responses to plain data, because the library's objects are only briefly valid.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Refused } from '../limits/refusals.ts'
import { errorReply, framingDefect, type HeaderList, httpError, type Reply, type RequestHead } from './http.ts'

const NO_CONTENT = 204

const COMMON_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' }

export type HttpLimits = { headerBytes: number; bodyBytes: number }

/** `take` runs at most one response function, and none if the client has disconnected. `isOver` is true after either. */
type Claim = { take: (answer: () => void) => void; isOver: () => boolean }
export type Send = (reply: Reply) => void

/** A request and the ways to respond. `dismiss` also closes the connection. */
export type Exchange = { request: RequestHead; claim: Claim; send: Send; dismiss: Send }

const claimOf = (res: HttpResponse): Claim => {
  let isOver = false
  res.onAborted(() => {
    isOver = true
  })
  return {
    take: answer => {
      if (isOver) return
      isOver = true
      answer()
    },
    isOver: () => isOver,
  }
}

const statusLine = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`
const fieldsOf = (headers: Reply['headers']) => Object.entries({ ...COMMON_HEADERS, ...headers })

/** Sends a body, waiting for the client to read if necessary. */
const sendBody = (res: HttpResponse, body: string): void => {
  const length = Buffer.byteLength(body)
  const [, isDone] = res.tryEnd(body, length)
  if (isDone) return
  const bytes = Buffer.from(body)
  res.onWritable(offset => res.tryEnd(bytes.subarray(offset), length)[0])
}

/**
 * Sends a response. The parser closes a connection on which a request arrives while a response is incomplete. A
 * response that the client does not read stays incomplete, so a client that only sends cannot fill the memory. A
 * response without a body is always completed at the end of the turn.
 */
const senderOf =
  (res: HttpResponse, claim: Claim, isHead: boolean): Send =>
  ({ status, headers, body }) => {
    const write = (): void => {
      res.writeStatus(statusLine(status))
      for (const [name, value] of fieldsOf(headers)) res.writeHeader(name, value)
      // The length is written as a header. If endWithoutBody got the length, it would wait for that many bytes of a
      // body.
      if (isHead) res.writeHeader('Content-Length', `${Buffer.byteLength(body)}`).endWithoutBody()
      else if (status === NO_CONTENT) res.endWithoutBody()
      else sendBody(res, body)
    }
    const answer = (): void => claim.take(() => void res.cork(write))
    if (isHead || status === NO_CONTENT) setImmediate(answer)
    else answer()
  }

/** Size in bytes up to which uWebSockets.js buffers data to send it together. */
const HELD_BACK = 16 * 1024
/** Milliseconds for a client to read the response before its connection is closed. */
const DISMISSAL = 200

/**
 * Sends a response and closes the connection, so that a request smuggled into the body is not answered. The whole
 * response is written as the status line, which keeps it incomplete for the parser, and is padded beyond the buffer size,
 * because buffered data is lost when the parser closes the connection.
 */
const dismisserOf =
  (res: HttpResponse, claim: Claim): Send =>
  ({ status, headers, body }) => {
    if (claim.isOver()) return
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
    setTimeout(claim.take, DISMISSAL, () => res.close()).unref()
  }

const headerList = (req: HttpRequest): HeaderList => {
  const list: [string, string][] = []
  req.forEach((name, value) => {
    list.push([name, value])
  })
  return list
}

/**
 * Header that marks a request on a connection with a PROXY header (version 2 of HAProxy's protocol). The parser accepts
 * PROXY headers from anyone, so the address in one is not trusted, like the address in a Forwarded header (RFC 7239).
 */
const PROXIED = ['forwarded', 'for=unknown'] as const

const joined = (list: HeaderList): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  for (const [name, value] of list) {
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

/** Bytes of a header line besides name and value (`: `, CRLF), and of a request line (two spaces, version, CRLF). */
const BYTES_A_HEADER = 4
const BYTES_A_REQUEST = 12

const bytesOf = (method: string, path: string, query: string, list: HeaderList): number => {
  let bytes = method.length + path.length + query.length + BYTES_A_REQUEST
  for (const [name, value] of list) bytes += name.length + value.length + BYTES_A_HEADER
  return bytes
}

/**
 * Reads a request head. Dismisses a request that violates a general rule, and returns undefined. A POST must have a
 * Content-Length or Transfer-Encoding. The parser hides all headers after a header without a name, possibly the length,
 * and would then read the body as the next request.
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
    dismiss(errorReply(httpError(400, defect, {})))
    return undefined
  }
  if (method === 'POST' && !list.some(([name]) => name === 'content-length' || name === 'transfer-encoding')) {
    refused('framing')
    dismiss(errorReply(httpError(411, 'contentLengthMissing', {})))
    return undefined
  }
  if (bytesOf(method, path, query, list) > headerBytes) {
    const setting = 'header-bytes'
    refused(setting)
    dismiss(errorReply(httpError(431, 'headTooLong', { limit: headerBytes, setting })))
    return undefined
  }
  const isProxied = res.getProxiedRemoteAddress().byteLength > 0
  const headers = joined(isProxied ? [...list, PROXIED] : list)
  const request = { method, path, query: new URLSearchParams(query), headers }
  return { request, claim, send: senderOf(res, claim, method === 'HEAD'), dismiss }
}

/** Calls `use` with the complete body, or dismisses the request if the body is too large. */
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
      const setting = 'body-bytes'
      refused(setting)
      dismiss(errorReply(httpError(413, 'bodyTooLong', { limit: bodyBytes, setting })))
      return
    }
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) use(Buffer.concat(chunks))
  })
}
