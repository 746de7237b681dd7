/**
 * The frame that carries a message to a subscriber. The message is spliced in as the JSON text it is kept in. Clients of
 * the v2 protocol need more members than the interface has: Android drops a push without `publishedAt` or `tag`, and
 * without `attestation` a JavaScript wallet asks a third party about each request.
 */
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Message } from './mailbox/mailbox.ts'

/** How a client subscribed: it is pushed with the prefix it used. `id` is the subscription's. */
export type PushTarget = { id: string; topic: string; prefix: RelayPrefix }

/** The end of the range in which push ids have 15 digits, as clients want them below 2^53. */
const ID_DIGITS = 15
/** The digits of an id are written in two halves, as small whole numbers. */
const LOW_DIGITS = 7
const LOW = 10 ** LOW_DIGITS
const ZERO = 48

const BEFORE_ID = Buffer.from('{"id":')
/** Most bytes that UTF-8 needs for a UTF-16 unit. */
const UNIT_BYTES = 3
const HEAD_AT = BEFORE_ID.length + ID_DIGITS
/** Bytes of most frames. */
const ROOM = 4096

/** What all frames of a subscription have between the push id and the message. */
export const pushHead = ({ id, topic, prefix }: PushTarget): Buffer =>
  Buffer.from(
    `,"jsonrpc":"2.0","method":"${prefix}_subscription","params":{"id":"${id}","data":{"topic":${JSON.stringify(topic)},"message":`,
  )

/** What follows the message. */
const endOf = (prefix: RelayPrefix, { publishedAt, tag, attestation }: Message): string => {
  if (prefix === 'relay') return '}}}'
  const proof = attestation === '' ? '""' : JSON.stringify(attestation)
  return `,"publishedAt":${publishedAt},"tag":${tag},"attestation":${proof}}}}`
}

const writeDigits = (frame: Buffer, value: number, from: number, to: number): void => {
  let left = value
  for (let at = to - 1; at >= from; at--) {
    const rest = (left / 10) | 0
    frame[at] = ZERO + left - rest * 10
    left = rest
  }
}

const createRoom = (length: number): Buffer => {
  const room = Buffer.alloc(Math.max(ROOM, length))
  room.set(BEFORE_ID)
  return room
}

/**
 * Writes the frames, which is several times faster than to put their texts together. All are written into the same room:
 * one is good until the next. `pushId` has 15 digits, `head` is `pushHead` of a subscription under that prefix.
 */
export const createPushWriter = () => {
  let room = createRoom(ROOM)
  let frame = room

  return (pushId: number, head: Buffer, prefix: RelayPrefix, message: Message): Buffer => {
    const end = endOf(prefix, message)
    const messageAt = HEAD_AT + head.length
    const endAt = messageAt + message.size
    const most = endAt + UNIT_BYTES * end.length
    if (room.length < most) {
      room = createRoom(most)
      frame = room
    }
    const high = Math.floor(pushId / LOW)
    writeDigits(room, high, BEFORE_ID.length, HEAD_AT - LOW_DIGITS)
    writeDigits(room, pushId - high * LOW, HEAD_AT - LOW_DIGITS, HEAD_AT)
    room.set(head, HEAD_AT)
    room.write(message.message, messageAt)
    const length = endAt + room.write(end, endAt)
    // Most are as long as the last.
    if (frame.length !== length) frame = room.subarray(0, length)
    return frame
  }
}
