/**
 * Recognizes the two most frequent frames quickly: a publish in the form that clients write, and the acknowledgement of
 * a push. All other frames go to the full decoder, which would give the same result for these two.
 */
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import { AFTER_ID, BEFORE_ID } from '../delivery/push.ts'
import type { RpcLimits } from './method.ts'
import type { Posting } from './methods/publishing.ts'

/** A publish with its id as written. */
export type Scanned = Posting & { id: RawId }

/** An id: a JSON integer of at most 20 digits, which is enough for clients, or a short string without escapes. */
const ID = '0|[1-9]\\d{0,19}|"[\\w-]{1,64}"'
/** Characters that need no escape in JSON and take one byte. */
const PLAIN = '[ !#-\\[\\]-~]'

const PUBLISH = new RegExp(
  `^\\{"id":(${ID}),"jsonrpc":"2\\.0","method":"(${relayPrefixes.join('|')})_publish",` +
    `"params":\\{"topic":"([0-9a-f]{64})","message":("${PLAIN}*"),"ttl":([1-9]\\d{0,6})` +
    '(?:,"prompt":(true|false),"tag":(0|[1-9]\\d{0,8}))?(?:,"correlationId":(?:0|[1-9]\\d{0,16}))?\\}\\}$',
)

/** Number of digits of integers that are always below 2^53. */
const ID_DIGITS = 15
const [ZERO, NINE] = [48, 57]

const isAt = (part: Buffer, frame: Uint8Array, at: number): boolean => {
  for (let index = 0; index < part.length; index++) if (frame[at + index] !== part[index]) return false
  return true
}

/**
 * Recognizes a publish. Returns undefined for any other frame, another notation, or a message or ttl over its limit. If
 * the topic equals `knownTopic`, the result has that string object, which an index finds faster than a new one.
 */
export const scanPublish = (
  frame: Buffer,
  { maxTtl, messageBytes }: RpcLimits,
  knownTopic: string,
): Scanned | undefined => {
  // latin1 gives one character per byte, so lengths in characters are lengths in bytes.
  const found = PUBLISH.exec(frame.toString('latin1'))
  if (!found) return undefined
  const [, id = '', prefix = '', topic = '', json = '', seconds, prompt, tag = '0'] = found
  const ttl = Number(seconds)
  // `json` has one character per byte of the message, and two quotes.
  if (ttl > maxTtl || json.length - 2 > messageBytes) return undefined
  return {
    // The id is copied, because a slice would keep the whole frame's text in memory until the response. A publish has
    // its id at the same offset as an acknowledgement.
    id: frame.toString('latin1', BEFORE_ID.length, BEFORE_ID.length + id.length),
    topic: topic === knownTopic ? knownTopic : topic,
    json,
    size: json.length,
    ttl,
    tag: Number(tag),
    // Without `prompt`, the default is the same as in relay-methods.ts.
    prompt: prompt === undefined ? prefix === 'relay' : prompt === 'true',
    attestation: '',
  }
}

/** Returns the push id of an acknowledgement, or undefined for any other frame. */
export const scanAcknowledgement = (frame: Uint8Array): number | undefined => {
  const end = frame.length - AFTER_ID.length
  const digits = end - BEFORE_ID.length
  if (digits < 1 || digits > ID_DIGITS || !isAt(BEFORE_ID, frame, 0) || !isAt(AFTER_ID, frame, end)) return undefined
  let id = 0
  for (let at = BEFORE_ID.length; at < end; at++) {
    const digit = frame[at] ?? 0
    if (digit < ZERO || digit > NINE || (id === 0 && digit === ZERO)) return undefined
    id = id * 10 + digit - ZERO
  }
  return id
}
