/** Bodies of webhook calls and their signatures. */
import { encodeJwt } from '../../wire/relay-auth.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * A topic with a new message; claims, which the server signs as a JWT; or a challenge, which the receiver must include
 * in its response.
 */
export type Content = { topic: string } | { claims: object } | { challenge: string }

const seconds = (now: number): number => Math.floor(now / 1000)

/** Returns the body of a call made at `now`, Unix time in milliseconds. */
export const bodyOf = (content: Content, { did, sign }: SigningKey, now: number): string => {
  if ('topic' in content) return JSON.stringify({ topic: content.topic })
  if ('challenge' in content) return JSON.stringify({ challenge: content.challenge })
  return JSON.stringify({ eventAuth: [encodeJwt({ iss: did, iat: seconds(now), ...content.claims }, sign)] })
}

/**
 * Returns headers with a signature of `timestamp.length.body`: Unix time in seconds, bytes of the body, and the body.
 */
export const signatureHeaders = (body: string, { sign }: SigningKey, now: number): Readonly<Record<string, string>> => {
  const timestamp = `${seconds(now)}`
  const signed = Buffer.from(`${timestamp}.${Buffer.byteLength(body)}.${body}`)
  return { 'X-Ed25519-Timestamp': timestamp, 'X-Ed25519-Signature': sign(signed).toString('hex') }
}
