/**
 * The two frames that nearly all traffic consists of, read without a parser: a publish as clients write it, and the
 * answer to a push. What is written in any other way is not recognised and goes to the full decoder, which reads these
 * the same.
 */
import { type RelayPrefix, relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import { AFTER_ID, BEFORE_ID } from './answer.ts'
import type { Posting } from './publishing.ts'

/** What is published, the id of the call as it was written, and the prefix. */
export type Scanned = Posting & { id: string; prefix: RelayPrefix }

/** Most bytes of the id of a publish. */
export const MOST_ID_BYTES = 66
/** A whole number as JSON has it, of at most as many digits as a client's id, or a short string without escapes. */
const ID = `0|[1-9]\\d{0,19}|"[\\w-]{1,${MOST_ID_BYTES - 2}}"`
/** Characters that stand for themselves between quotes, and are one byte. */
const PLAIN = '[ !#-\\[\\]-~]'

const PUBLISH = new RegExp(
  `^\\{"id":(${ID}),"jsonrpc":"2\\.0","method":"(${relayPrefixes.join('|')})_publish",` +
    `"params":\\{"topic":"([0-9a-f]{64})","message":("${PLAIN}*"),"ttl":([1-9]\\d{0,6})` +
    '(?:,"prompt":(true|false),"tag":(0|[1-9]\\d{0,8}))?(?:,"correlationId":(?:0|[1-9]\\d{0,16}))?\\}\\}$',
)

/** Digits of the longest number that is below 2^53 in any case. */
const ID_DIGITS = 15
const [ZERO, NINE] = [48, 57]

const isAt = (part: Buffer, frame: Uint8Array, at: number): boolean => {
  for (let index = 0; index < part.length; index++) if (frame[at + index] !== part[index]) return false
  return true
}

/**
 * The publish that the frame is; undefined if it is none, is written in another way, or asks for more than `maxTtl`
 * seconds.
 */
export const scanPublish = (frame: Buffer, maxTtl: number): Scanned | undefined => {
  // One character a byte.
  const found = PUBLISH.exec(frame.toString('latin1'))
  if (!found) return undefined
  const [, id = '', prefix = '', topic = '', message = '', seconds, prompt, tag = '0'] = found
  const ttl = Number(seconds)
  if (ttl > maxTtl) return undefined
  return {
    // It is kept until the answer: as a part of the frame's text it would keep that, too.
    id: frame.toString('latin1', BEFORE_ID.length, BEFORE_ID.length + id.length),
    prefix: prefix as RelayPrefix,
    topic,
    message,
    size: message.length,
    bytes: message.length - 2,
    ttl,
    tag: Number(tag),
    // As the schemas of relay-methods.ts have it.
    prompt: prompt === undefined ? prefix === 'relay' : prompt === 'true',
    attestation: '',
  }
}

/** The id of the push that the frame answers with `true`; undefined if it is anything else. */
export const scanAnswer = (frame: Uint8Array): number | undefined => {
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
