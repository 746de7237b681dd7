/** What a call to a webhook says, and how a receiver knows who says it. */
import { encodeJwt } from '../wire/relay-auth.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * That a topic is in use; claims, which the server signs as a JWT of its own; or a challenge, which the receiver repeats
 * in its answer.
 */
export type Content = { topic: string } | { claims: object } | { challenge: string }

const seconds = (now: number): number => Math.floor(now / 1000)

/** The body of a call made now, in milliseconds of Unix time. */
export const bodyOf = (content: Content, { did, sign }: SigningKey, now: number): string => {
  if ('topic' in content) return JSON.stringify({ topic: content.topic })
  if ('challenge' in content) return JSON.stringify({ challenge: content.challenge })
  return JSON.stringify({ eventAuth: [encodeJwt({ iss: did, iat: seconds(now), ...content.claims }, sign)] })
}

/** Headers that sign `timestamp.length.body`: seconds of Unix time, bytes of the body, and the body. */
export const signatureHeaders = (body: string, { sign }: SigningKey, now: number): Readonly<Record<string, string>> => {
  const timestamp = `${seconds(now)}`
  const signed = Buffer.from(`${timestamp}.${Buffer.byteLength(body)}.${body}`)
  return { 'X-Ed25519-Timestamp': timestamp, 'X-Ed25519-Signature': sign(signed).toString('hex') }
}
