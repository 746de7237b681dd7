/**
 * JSON-RPC 2.0 frames, text in and text out: https://www.jsonrpc.org/specification
 *
 * An id is taken from the raw text and goes back as it was written. Clients send numbers of 19 digits, which a
 * JavaScript number cannot hold, and never find an answer whose last digits were rounded.
 */
import { errorCodes, type RpcErrorObject } from '../errors.ts'
import { fromUtf8 } from './text.ts'

/** An id exactly as its JSON text: `12`, `"12"` or `null`. Never a JavaScript number. */
export type RawId = string

/** A call. Without an id it is a notification and gets no answer. `params` is an array, an object or undefined. */
export type Request = { kind: 'request'; id?: RawId; method: string; params: unknown }
export type Response =
  | { kind: 'response'; id: RawId; result: unknown }
  | { kind: 'response'; id: RawId; error: RpcErrorObject }
/** What is neither request nor response, with the error to answer and the id to answer it under. */
export type Invalid = { kind: 'invalid'; id: RawId; error: RpcErrorObject }
export type Batch = { kind: 'batch'; items: readonly (Request | Response | Invalid)[] }
export type Decoded = Request | Response | Invalid | Batch

/** Bounds of one text: UTF-8 bytes (UTF-16 units of a string), levels of nesting, frames in a batch. */
export type Limits = { size: number; depth: number; batch: number }

export const defaultLimits: Limits = { size: 1 << 20, depth: 64, batch: 100 }

/** The id of an answer to a frame whose id cannot be told. */
export const NO_ID: RawId = 'null'

const invalid = (name: 'parseError' | 'invalidRequest', message: string, id = NO_ID): Invalid => ({
  kind: 'invalid',
  id,
  error: { code: errorCodes[name][0], message },
})

const toText = (bytes: Uint8Array): string | undefined => {
  try {
    return fromUtf8(bytes)
  } catch {
    return undefined
  }
}

/** What the raw text of a frame shows and its parsed value hides: the ids as written, and every naming of a member. */
type Outline = { ids: RawId[]; members: number }

/** The closing quote of the string that opens at `start`, or -1. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text[before] === '\\') before--
    if ((end - before) % 2 === 1) return end
  }
  return -1
}

/** The name `id` in every spelling that JSON allows. */
const ID_NAME = /^"(?:i|\\u0069)(?:d|\\u0064)"$/

/**
 * Outlines the frames of a text in order: the object at the top, or the objects directly in a batch. Anything nested
 * deeper is passed over. The outline is exact for JSON, and worthless but harmless for other text.
 * Returns undefined when the text nests deeper than `maxDepth`.
 */
const outline = (text: string, maxDepth: number): Outline[] | undefined => {
  const frames: Outline[] = []
  let frameDepth = 1
  let depth = 0
  let name = ''
  let idStart = -1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (end === -1) break
      name = text.slice(at, end + 1)
      at = end
    } else if (char === '{' || char === '[') {
      if (depth === 0 && char === '[') frameDepth = 2
      if (++depth > maxDepth) return undefined
      if (depth === frameDepth && char === '{') frames.push({ ids: [], members: 0 })
    } else if (depth === frameDepth && (char === ',' || char === '}' || char === ']')) {
      if (idStart !== -1) frames.at(-1)?.ids.push(text.slice(idStart, at).trim())
      idStart = -1
      if (char !== ',') depth--
    } else if (char === '}' || char === ']') {
      depth--
    } else if (char === ':' && depth === frameDepth) {
      const frame = frames.at(-1)
      if (frame !== undefined) frame.members++
      if (ID_NAME.test(name)) idStart = at + 1
    }
  }
  return frames
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of the object itself: what a prototype holds is no part of the frame. */
const own = (object: Members, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

const isErrorObject = (value: unknown): value is RpcErrorObject =>
  isObject(value) && Number.isInteger(own(value, 'code')) && typeof own(value, 'message') === 'string'

const decodeRequest = (frame: Members, id: RawId | undefined): Request | Invalid => {
  const method = own(frame, 'method')
  if (typeof method !== 'string') return invalid('invalidRequest', 'method must be a string', id)
  const params = own(frame, 'params')
  if (params !== undefined && (typeof params !== 'object' || params === null))
    return invalid('invalidRequest', 'params must be an array or an object', id)
  return id === undefined ? { kind: 'request', method, params } : { kind: 'request', id, method, params }
}

const decodeResponse = (frame: Members, id: RawId | undefined): Response | Invalid => {
  const hasResult = Object.hasOwn(frame, 'result')
  if (hasResult === Object.hasOwn(frame, 'error'))
    return invalid('invalidRequest', 'neither a method nor exactly one of result and error', id)
  if (id === undefined) return invalid('invalidRequest', 'a response needs an id')
  if (hasResult) return { kind: 'response', id, result: frame.result }
  return isErrorObject(frame.error)
    ? { kind: 'response', id, error: frame.error }
    : invalid('invalidRequest', 'error must have a whole-numbered code and a message', id)
}

const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || value === null

/**
 * One frame: `method` makes it a request, else it must be a response. Members that the standard does not name are passed
 * over; one that is named twice is refused, for readers differ on which of the two counts.
 */
const decodeFrame = (frame: unknown, { ids, members }: Outline): Request | Response | Invalid => {
  if (!isObject(frame)) return invalid('invalidRequest', 'a frame must be an object')
  const [id] = ids
  if (ids.length > 1 || (id !== undefined && !isId(frame.id)))
    return invalid('invalidRequest', 'id must be one string, number or null')
  if (members !== Object.keys(frame).length) return invalid('invalidRequest', 'a member is named twice', id)
  if (own(frame, 'jsonrpc') !== '2.0') return invalid('invalidRequest', 'jsonrpc must be "2.0"', id)
  return Object.hasOwn(frame, 'method') ? decodeRequest(frame, id) : decodeResponse(frame, id)
}

const NO_FRAME: Outline = { ids: [], members: 0 }

/**
 * Reads one text: a frame or a batch. Never throws, whatever the bytes: what breaks a rule comes back as `invalid`, with
 * -32700 for what is not UTF-8 or not JSON and -32600 for the rest, whole or item by item in a batch. The error texts
 * name the rule and repeat nothing of the input, so they are safe to send and to log.
 */
export const decode = (input: string | Uint8Array, limits: Limits = defaultLimits): Decoded => {
  if (input.length > limits.size) return invalid('invalidRequest', `longer than ${limits.size} bytes (frame-bytes)`)
  const text = typeof input === 'string' ? input : toText(input)
  if (text === undefined) return invalid('parseError', 'not UTF-8')
  const outlines = outline(text, limits.depth)
  if (outlines === undefined)
    return invalid('invalidRequest', `nested deeper than ${limits.depth} levels (frame-depth)`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid('parseError', 'not JSON')
  }
  if (!Array.isArray(value)) return decodeFrame(value, outlines[0] ?? NO_FRAME)
  if (value.length === 0) return invalid('invalidRequest', 'the batch is empty')
  if (value.length > limits.batch)
    return invalid('invalidRequest', `more than ${limits.batch} items in the batch (batch-items)`)
  let next = 0
  const items = value.map(item => decodeFrame(item, (isObject(item) && outlines[next++]) || NO_FRAME))
  return { kind: 'batch', items }
}

/** A value as JSON; `undefined`, for which JSON has no form, is null. Throws TypeError for a bigint or a cycle. */
const toJson = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** A request under an id of our own, a whole number below 2^53, or one kept. `params` is an array or an object. */
export const encodeRequest = (id: RawId | number, method: string, params: unknown): string =>
  `{"id":${id},"jsonrpc":"2.0","method":${toJson(method)},"params":${toJson(params)}}`

/** The answer to the request of that id. */
export const encodeResult = (id: RawId, result: unknown): string =>
  `{"id":${id},"jsonrpc":"2.0","result":${toJson(result)}}`

/** The error answer to the request of that id; `NO_ID` if it could not be told. */
export const encodeError = (id: RawId, error: RpcErrorObject): string =>
  `{"id":${id},"jsonrpc":"2.0","error":${toJson(error)}}`
