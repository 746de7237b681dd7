/**
 * JSON-RPC 2.0 frames, text in and text out: https://www.jsonrpc.org/specification
 *
 * Ids are kept as raw text and returned as written. Clients send ids of 19 digits, which a JavaScript number would
 * round, and the client would not recognize the response.
 */
import { errorObject, type Failure, failuresOf, type RpcErrorObject } from '../errors.ts'
import { isObject } from '../evm/json.ts'
import { fromUtf8 } from './text.ts'

/** An id as its JSON text: `12`, `"12"` or `null`. Never a JavaScript number. */
export type RawId = string

/** A call. Without an id it is a notification and gets no response. `params` is an array, an object or undefined. */
export type RpcRequest = { kind: 'request'; id?: RawId; method: string; params: unknown }
/** The answer to a call: a result or an error. */
export type RpcResponse =
  | { kind: 'response'; id: RawId; result: unknown }
  | { kind: 'response'; id: RawId; error: RpcErrorObject }
/** Input that is neither a request nor a response, with the error to return and the id to return it with. */
export type InvalidRpc = { kind: 'invalid'; id: RawId; error: Failure }
/** Frames that were sent together, in their order. */
export type RpcBatch = { kind: 'batch'; items: readonly (RpcRequest | RpcResponse | InvalidRpc)[] }
/** A decoded frame or batch. `kind` says which. */
export type DecodedRpc = RpcRequest | RpcResponse | InvalidRpc | RpcBatch

/** Limits for one text: UTF-8 bytes (UTF-16 code units for a string), nesting levels, items per batch. */
export type RpcLimits = { size: number; depth: number; batch: number }

/** 1 MiB, 64 levels and 100 items. */
export const defaultRpcLimits: RpcLimits = { size: 1 << 20, depth: 64, batch: 100 }

/** Id of the response if the request's id is unknown. */
export const NO_ID: RawId = 'null'

const failure = failuresOf({
  batchEmpty: 'the batch is empty',
  batchTooLong: 'more than {limit} items in the batch ({setting})',
  errorInvalid: 'error must have an integer code and a message',
  frameNoObject: 'a frame must be an object',
  frameTooDeep: 'nested deeper than {limit} levels ({setting})',
  frameTooLong: 'longer than {limit} bytes ({setting})',
  idInvalid: 'id must be a single string, number or null',
  memberRepeated: 'a member occurs twice',
  methodInvalid: 'method must be a string',
  neitherRequestNorResponse: 'needs a method, or exactly one of result and error',
  notJson: 'not JSON',
  notUtf8: 'not UTF-8',
  paramsInvalid: 'params must be an array or an object',
  responseWithoutId: 'a response needs an id',
  versionInvalid: 'jsonrpc must be "2.0"',
} as const)

const invalid = (error: Failure, id = NO_ID): InvalidRpc => ({ kind: 'invalid', id, error })

type Fault =
  | 'errorInvalid'
  | 'frameNoObject'
  | 'idInvalid'
  | 'memberRepeated'
  | 'methodInvalid'
  | 'neitherRequestNorResponse'
  | 'paramsInvalid'
  | 'responseWithoutId'
  | 'versionInvalid'

/** `setting` is the name of the limit in a server's configuration. */
const tooLarge = (
  reason: 'frameTooLong' | 'frameTooDeep' | 'batchTooLong',
  limit: number,
  setting: string,
): InvalidRpc => invalid(failure('invalidRequest', reason, { limit, setting }))

const invalidRequest = (fault: Fault, id = NO_ID): InvalidRpc => invalid(failure('invalidRequest', fault), id)

const toText = (bytes: Uint8Array): string | undefined => {
  try {
    return fromUtf8(bytes)
  } catch {
    return undefined
  }
}

/** Details of a frame's raw text that JSON.parse loses: ids as written, and the number of members including duplicates. */
type Outline = { ids: RawId[]; members: number }

/** Returns the index of the closing quote of the string that starts at `start`, or -1. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text[before] === '\\') before--
    if ((end - before) % 2 === 1) return end
  }
  return -1
}

/** The member name `id` in every spelling that JSON allows. */
const ID_NAME = /^"(?:i|\\u0069)(?:d|\\u0064)"$/

/**
 * Scans the text for the outline of each frame, in order: the top-level object, or the objects directly in a batch.
 * Ignores deeper levels. The outline is exact for valid JSON and meaningless for other text.
 * Returns undefined if the text is nested deeper than `maxDepth`.
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

/** Reads an own property, so that properties on a prototype are not mistaken for members. */
const own = (object: Members, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

const isErrorObject = (value: unknown): value is RpcErrorObject =>
  isObject(value) && Number.isInteger(own(value, 'code')) && typeof own(value, 'message') === 'string'

const decodeRequest = (frame: Members, id: RawId | undefined): RpcRequest | InvalidRpc => {
  const method = own(frame, 'method')
  if (typeof method !== 'string') return invalidRequest('methodInvalid', id)
  const params = own(frame, 'params')
  if (params !== undefined && (typeof params !== 'object' || params === null))
    return invalidRequest('paramsInvalid', id)
  return id === undefined ? { kind: 'request', method, params } : { kind: 'request', id, method, params }
}

const decodeResponse = (frame: Members, id: RawId | undefined): RpcResponse | InvalidRpc => {
  const hasResult = Object.hasOwn(frame, 'result')
  if (hasResult === Object.hasOwn(frame, 'error')) return invalidRequest('neitherRequestNorResponse', id)
  if (id === undefined) return invalidRequest('responseWithoutId')
  if (hasResult) return { kind: 'response', id, result: frame.result }
  return isErrorObject(frame.error) ? { kind: 'response', id, error: frame.error } : invalidRequest('errorInvalid', id)
}

const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || value === null

/**
 * Decodes one frame. With a `method` it is a request, otherwise it must be a response. Ignores unknown members, and
 * rejects duplicate members, because parsers differ on which value they use.
 */
const decodeFrame = (frame: unknown, { ids, members }: Outline): RpcRequest | RpcResponse | InvalidRpc => {
  if (!isObject(frame)) return invalidRequest('frameNoObject')
  const [id] = ids
  if (ids.length > 1 || (id !== undefined && !isId(frame.id))) return invalidRequest('idInvalid')
  if (members !== Object.keys(frame).length) return invalidRequest('memberRepeated', id)
  if (own(frame, 'jsonrpc') !== '2.0') return invalidRequest('versionInvalid', id)
  return Object.hasOwn(frame, 'method') ? decodeRequest(frame, id) : decodeResponse(frame, id)
}

const NO_FRAME: Outline = { ids: [], members: 0 }

/**
 * Decodes a frame or a batch. Never throws. Returns `invalid` with -32700 for input that is not UTF-8 or not JSON, and
 * with -32600 for any other violation, for the whole input or a single batch item. Error texts do not quote the
 * input, so they are safe to send and to log.
 */
export const decodeJsonRpc = (input: string | Uint8Array, limits: RpcLimits = defaultRpcLimits): DecodedRpc => {
  if (input.length > limits.size) return tooLarge('frameTooLong', limits.size, 'frame-bytes')
  const text = typeof input === 'string' ? input : toText(input)
  if (text === undefined) return invalid(failure('parseError', 'notUtf8'))
  const outlines = outline(text, limits.depth)
  if (outlines === undefined) return tooLarge('frameTooDeep', limits.depth, 'frame-depth')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid(failure('parseError', 'notJson'))
  }
  if (!Array.isArray(value)) return decodeFrame(value, outlines[0] ?? NO_FRAME)
  if (value.length === 0) return invalid(failure('invalidRequest', 'batchEmpty'))
  if (value.length > limits.batch) return tooLarge('batchTooLong', limits.batch, 'batch-items')
  let next = 0
  const items = value.map(item => decodeFrame(item, (isObject(item) && outlines[next++]) || NO_FRAME))
  return { kind: 'batch', items }
}

/** Encodes a value as JSON; `undefined` becomes null. Throws TypeError for a bigint or a cycle. */
const toJson = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** Encodes a request. The id is a generated integer below 2^53 or a raw id. `params` is an array or an object. */
export const encodeRequest = (id: RawId | number, method: string, params: unknown): string =>
  `{"id":${id},"jsonrpc":"2.0","method":${toJson(method)},"params":${toJson(params)}}`

/** Encodes a successful response. */
export const encodeResult = (id: RawId, result: unknown): string =>
  `{"id":${id},"jsonrpc":"2.0","result":${toJson(result)}}`

/** Encodes an error response. The id is `NO_ID` if the request's is unknown. */
export const encodeError = (id: RawId, error: RpcErrorObject): string =>
  `{"id":${id},"jsonrpc":"2.0","error":${toJson(errorObject(error))}}`
