/**
 * Who a relay client is: a JWT (RFC 7519) that it signs itself with Ed25519 (RFC 8037), issued by its did:key.
 * https://specs.walletconnect.com/2.0/specs/clients/core/relay/relay-client-auth
 */
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { rpcError } from '../errors.ts'
import { type DidKey, decodeDidKey, encodeDidKey } from './did-key.ts'
import { fromUtf8 } from './text.ts'

/** Characters of a token; the clients' have about 450. */
export const MAX_TOKEN_LENGTH = 4096
/** Seconds by which a client's clock may be off, either way: wrong clocks are the commonest reason for a refusal. */
export const CLOCK_LEEWAY = 600
/** Most seconds from `iat` to `exp`. The clients of WalletConnect sign tokens for a day. */
export const MAX_TOKEN_SECONDS = 7 * 24 * 60 * 60

/** `sub` is any 64 hex digits of the client's choice, `aud` the relay's URL, `iat` and `exp` seconds of Unix time. */
export type Claims = { sub: string; aud: string; iat: number; exp: number }

const toPart = (value: unknown): string => base64urlnopad.encode(utf8ToBytes(JSON.stringify(value)))

/** A token of any claims; `sign` makes the Ed25519 signature of the bytes it is given. */
export const encodeJwt = (claims: object, sign: (signed: Uint8Array) => Uint8Array): string => {
  const signed = `${toPart({ alg: 'EdDSA', typ: 'JWT' })}.${toPart(claims)}`
  return `${signed}.${base64urlnopad.encode(sign(utf8ToBytes(signed)))}`
}

/** Signs a token with a 32-byte Ed25519 private key. */
export const signJwt = ({ sub, aud, iat, exp }: Claims, privateKey: Uint8Array): string => {
  const iss = encodeDidKey(ed25519.getPublicKey(privateKey))
  return encodeJwt({ iss, sub, aud, iat, exp }, signed => ed25519.sign(signed, privateKey))
}

/** Throws RpcError 3000. */
export const refuse = (reason: string): never => {
  throw rpcError('unauthenticated', `JWT ${reason}`)
}

const attempt = <T>(read: () => T, reason: string): T => {
  try {
    return read()
  } catch {
    return refuse(reason)
  }
}

const headerSchema = v.strictObject({ alg: v.literal('EdDSA'), typ: v.literal('JWT') })
const seconds = v.pipe(v.number(), v.integer())
const claimsSchema = v.object({
  iss: v.string(),
  aud: v.string(),
  iat: seconds,
  exp: seconds,
  nbf: v.optional(seconds),
})

const fromPart = <S extends v.GenericSchema>(schema: S, part: string, reason: string): v.InferOutput<S> =>
  attempt(() => v.parse(schema, JSON.parse(fromUtf8(base64urlnopad.decode(part)))), reason)

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/**
 * What a relay accepts: `now` in seconds of Unix time, `leeway` in seconds, CLOCK_LEEWAY by default; `audiences` its public
 * URLs, and without them any `aud`.
 */
export type Rules = { now: number; leeway?: number; audiences?: readonly string[] }

/**
 * A token whose claims hold: `client` is who it says it is if `signature` is that of `signed` by `publicKey`, which
 * `server/jwt.ts` verifies.
 */
export type Claimed = { client: DidKey; publicKey: Uint8Array; signed: Uint8Array; signature: Uint8Array }

const SIGNATURE_LENGTH = 64

const SIGN_OF_X = 0x80

/** The y of a point's encoding as a number. */
const yOf = (encoding: Uint8Array): bigint => {
  const y = Uint8Array.from(encoding)
  y[y.length - 1] = (y.at(-1) ?? 0) & ~SIGN_OF_X
  return bytesToNumberLE(y)
}

const SMALL_ORDER = new Set(ED25519_TORSION_SUBGROUP.map(point => yOf(hexToBytes(point))))

/**
 * In the one encoding of its point (RFC 8032 §5.1.3), and not of small order: for those anybody can sign. That it is on the
 * curve at all is for the verification of the signature, which is the dearer step.
 */
const isKeyOfOne = (publicKey: Uint8Array): boolean => {
  const y = yOf(publicKey)
  return y < ed25519.Point.Fp.ORDER && !SMALL_ORDER.has(y)
}

/** A token taken apart, its signature not checked and its claims only as far as the schema has them. Throws RpcError 3000. */
export const decodeJwt = <S extends v.GenericSchema<unknown, { iss: string }>>(
  token: string,
  schema: S,
  rule: string,
): Claimed & { claims: v.InferOutput<S> } => {
  if (token.length > MAX_TOKEN_LENGTH) return refuse(`is longer than ${MAX_TOKEN_LENGTH} characters`)
  const [header, payload, signaturePart, ...rest] = token.split('.')
  if (header === undefined || payload === undefined || signaturePart === undefined || rest.length > 0)
    return refuse('must have three parts')
  fromPart(headerSchema, header, 'header must be {"alg":"EdDSA","typ":"JWT"}')
  const claims = fromPart(schema, payload, rule)
  const publicKey = attempt(() => decodeDidKey(claims.iss), 'iss must be the did:key of an Ed25519 public key')
  const signatureRule = `signature must be ${SIGNATURE_LENGTH} bytes in base64url`
  const signature = attempt(() => base64urlnopad.decode(signaturePart), signatureRule)
  if (signature.length !== SIGNATURE_LENGTH) return refuse(signatureRule)
  if (!isKeyOfOne(publicKey)) return refuse('iss must be a key that one client alone can have')
  return { claims, client: encodeDidKey(publicKey), publicKey, signed: utf8ToBytes(`${header}.${payload}`), signature }
}

/**
 * Refuses claims that are not for now, or not for this relay: a token expires on the second of `exp` (RFC 7519 §4.1.4) and
 * is not accepted before that of `nbf` (§4.1.5), each with the leeway. Throws RpcError 3000.
 */
export const checkClaims = (
  { aud, iat, exp, nbf = iat }: { aud: string; iat: number; exp: number; nbf?: number | undefined },
  { now, leeway = CLOCK_LEEWAY, audiences }: Rules,
): void => {
  if (iat > now + leeway) refuse('is issued in the future: check the clock of this device')
  if (nbf > now + leeway) refuse('is not valid yet: check the clock of this device')
  if (now - leeway >= exp) refuse('has expired: check the clock of this device')
  if (audiences && !audiences.some(url => withoutSlash(url) === withoutSlash(aud))) refuse('aud names another relay')
}

/**
 * Reads a token and checks everything but its signature, which costs the most. Throws RpcError 3000, whose text says what
 * is wrong and repeats nothing of the token.
 */
export const readJwt = (token: string, rules: Rules): Claimed => {
  const { claims, ...claimed } = decodeJwt(token, claimsSchema, 'payload must hold iss, aud, iat and exp')
  checkClaims(claims, rules)
  if (claims.exp - claims.iat > MAX_TOKEN_SECONDS) refuse(`exp must be at most ${MAX_TOKEN_SECONDS} seconds after iat`)
  return claimed
}
