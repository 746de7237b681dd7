/**
 * Encodes pushes to subscribers. The message is copied in the JSON form in which it is stored. Clients of the v2
 * protocol need more members than `relay_` has: Android drops a push without `publishedAt` or `tag`, and without
 * `attestation` JavaScript wallets query a third party about each request.
 */
import { createHash } from 'node:crypto'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Accepted, Client, Message } from '../mailbox/mailbox.ts'

/** The parts of an acknowledgement before and after the push id. Pushes and requests start with the same bytes. */
export const BEFORE_ID = Buffer.from('{"id":')
export const AFTER_ID = Buffer.from(',"jsonrpc":"2.0","result":true}')

/** Returns a subscription's id, as v2 clients compute it. Others cannot compute the id for a client without a key. */
export const subscriptionId = (topic: string, client: Client): string =>
  createHash('sha256')
    .update(topic + client)
    .digest('hex')

/** A subscription: pushes use its id and the prefix under which the client subscribed. */
export type PushTarget = { id: string; topic: string; prefix: RelayPrefix }

/** Number of digits of push ids, which clients require below 2^53. */
const ID_DIGITS = 15
/**
 * Number of digits in the lower half of an id. Ids are written in halves, because each half fits a small integer of V8.
 */
const LOW_DIGITS = 7
const LOW = 10 ** LOW_DIGITS
const ZERO = 48

const HEAD_AT = BEFORE_ID.length + ID_DIGITS
/** Initial buffer size in bytes, enough for most frames. */
const LEAST_BYTES = 4096

/** Encodes the part between push id and message, which all frames of a subscription share. */
export const pushHead = ({ id, topic, prefix }: PushTarget): Buffer =>
  Buffer.from(
    `,"jsonrpc":"2.0","method":"${prefix}_subscription","params":{"id":"${id}","data":{"topic":${JSON.stringify(topic)},"message":`,
  )

const RELAY_END = Buffer.from('}}}')

/**
 * Returns a function that encodes the part after the message. It caches the last result, because messages of one turn
 * often end alike.
 */
const createEnds = () => {
  let last = { publishedAt: Number.NaN, tag: 0, attestation: '', end: RELAY_END }

  return (prefix: RelayPrefix, { publishedAt, tag, attestation }: Pushed): Buffer => {
    if (prefix === 'relay') return RELAY_END
    if (last.publishedAt !== publishedAt || last.tag !== tag || last.attestation !== attestation) {
      const members = `"publishedAt":${publishedAt},"tag":${tag},"attestation":${JSON.stringify(attestation)}`
      last = { publishedAt, tag, attestation, end: Buffer.from(`,${members}}}}`) }
    }
    return last.end
  }
}

const writeDigits = (frame: Buffer, value: number, from: number, to: number): void => {
  let left = value
  for (let at = to - 1; at >= from; at--) {
    const rest = (left / 10) | 0
    frame[at] = ZERO + left - rest * 10
    left = rest
  }
}

/** A message read from the mailbox, or an accepted message whose text is still in the mailbox. */
type Pushed = Message | Accepted
type TextOf = (message: Pushed) => string | Uint8Array | undefined

/** A buffer and the frame written to it: the push of `message` under `prefix`, with a head of `headLength` bytes. */
type FrameBuffer = {
  bytes: Buffer
  frame: Buffer
  message: Pushed | undefined
  prefix: RelayPrefix
  headLength: number
}

const createBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(Math.max(LEAST_BYTES, length))
  bytes.set(BEFORE_ID)
  return bytes
}

const createFrameBuffer = (): FrameBuffer => {
  const bytes = createBytes(LEAST_BYTES)
  return { bytes, frame: bytes, message: undefined, prefix: 'relay', headLength: 0 }
}

const put = (text: string | Uint8Array, bytes: Buffer, at: number): void => {
  if (typeof text === 'string') bytes.write(text, at)
  else bytes.set(text, at)
}

/** Writes the text, which is `size` bytes long, and the part after it. */
const fill = (buffer: FrameBuffer, textAt: number, text: string | Uint8Array, size: number, end: Buffer): void => {
  const endAt = textAt + size
  const length = endAt + end.length
  if (buffer.bytes.length < length) buffer.bytes = createBytes(length)
  const { bytes, frame } = buffer
  put(text, bytes, textAt)
  bytes.set(end, endAt)
  // Most frames have the same length as the previous frame, and reuse its view of the buffer.
  if (frame.length !== length || frame.buffer !== bytes.buffer) buffer.frame = bytes.subarray(0, length)
}

/**
 * Writes frames into buffers, several times faster than concatenating strings. A frame is valid until the next is
 * written. Returns undefined if the message has no text any more. `pushId` has 15 digits; `head` is the subscription's
 * `pushHead`. The last `count` messages are cached, so that further frames of them only need a new id and head.
 */
export const createPushWriter = (count: number, textOf: TextOf) => {
  const buffers = Array.from({ length: count }, createFrameBuffer)
  const endOf = createEnds()
  let last = 0

  const bufferFor = (headLength: number, prefix: RelayPrefix, message: Pushed): FrameBuffer | undefined => {
    for (const buffer of buffers)
      if (buffer.message === message && buffer.prefix === prefix && buffer.headLength === headLength) return buffer
    const text = textOf(message)
    if (text === undefined) return undefined
    last = (last + 1) % count
    const buffer = buffers[last] ?? createFrameBuffer()
    fill(buffer, HEAD_AT + headLength, text, message.size, endOf(prefix, message))
    buffer.message = message
    buffer.prefix = prefix
    buffer.headLength = headLength
    return buffer
  }

  return (pushId: number, head: Buffer, prefix: RelayPrefix, message: Pushed): Buffer | undefined => {
    const buffer = bufferFor(head.length, prefix, message)
    if (!buffer) return undefined
    const { bytes, frame } = buffer
    const high = Math.floor(pushId / LOW)
    writeDigits(bytes, high, BEFORE_ID.length, HEAD_AT - LOW_DIGITS)
    writeDigits(bytes, pushId - high * LOW, HEAD_AT - LOW_DIGITS, HEAD_AT)
    bytes.set(head, HEAD_AT)
    return frame
  }
}
