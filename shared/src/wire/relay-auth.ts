/**
 * Authentication of relay clients: a JWT (RFC 7519) that the client issues under its did:key and signs with Ed25519 (RFC 8037).
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

/** Maximum length of a token in characters. Clients' tokens have about 450. */
export const MAX_TOKEN_LENGTH = 4096
/** Tolerated clock skew in seconds, either way. Wrong clocks are the most frequent reason for refusals. */
export const CLOCK_LEEWAY = 600
/** Maximum number of seconds from `iat` to `exp`. WalletConnect clients sign tokens for a day. */
export const MAX_TOKEN_SECONDS = 7 * 24 * 60 * 60

/** `sub` is 64 hex digits of the client's choice, `aud` the relay's URL. `iat` and `exp` are Unix time in seconds. */
export type Claims = { sub: string; aud: string; iat: number; exp: number }

const toPart = (value: unknown): string => base64urlnopad.encode(utf8ToBytes(JSON.stringify(value)))

/** Encodes a token with any claims. `sign` returns the Ed25519 signature of its argument. */
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
 * Parameters of a relay's checks. `now` is Unix time in seconds and `leeway` is in seconds. `audiences` are the relay's
 * public URLs; without them any `aud` is accepted.
 */
export type Rules = { now: number; leeway?: number; audiences?: readonly string[] }

/**
 * A token with valid claims. `client` is authenticated only once `server/transport/jwt.ts` has verified that `signature` is that of
 * `signed` by `publicKey`.
 */
export type Claimed = { client: DidKey; publicKey: Uint8Array; signed: Uint8Array; signature: Uint8Array }

const SIGNATURE_LENGTH = 64

const SIGN_OF_X = 0x80

/** The y coordinate of an encoded point. */
const yOf = (encoding: Uint8Array): bigint => {
  const y = Uint8Array.from(encoding)
  y[y.length - 1] = (y.at(-1) ?? 0) & ~SIGN_OF_X
  return bytesToNumberLE(y)
}

const SMALL_ORDER = new Set(ED25519_TORSION_SUBGROUP.map(point => yOf(hexToBytes(point))))

/**
 * True for a canonical encoding (RFC 8032 §5.1.3) of a point that is not of small order, for which anyone could sign.
 * Verifying the signature, which costs more, also checks that the point is on the curve.
 */
const isCanonicalKey = (publicKey: Uint8Array): boolean => {
  const y = yOf(publicKey)
  return y < ed25519.Point.Fp.ORDER && !SMALL_ORDER.has(y)
}

/** Decodes a token and checks its claims against `schema`. Does not verify the signature. Throws RpcError 3000. */
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
  if (!isCanonicalKey(publicKey)) return refuse('iss must be a canonical Ed25519 key, not of small order')
  return { claims, client: encodeDidKey(publicKey), publicKey, signed: utf8ToBytes(`${header}.${payload}`), signature }
}

/**
 * Checks times and audience, with the leeway: a token expires at `exp` (RFC 7519 §4.1.4) and is not valid before `nbf`
 * (§4.1.5). Throws RpcError 3000.
 */
export const checkClaims = (
  { aud, iat, exp, nbf = iat }: { aud: string; iat: number; exp: number; nbf?: number | undefined },
  { now, leeway = CLOCK_LEEWAY, audiences }: Rules,
): void => {
  if (iat > now + leeway) refuse('was issued in the future: check the clock of this device')
  if (nbf > now + leeway) refuse('is not valid yet: check the clock of this device')
  if (now - leeway >= exp) refuse('has expired: check the clock of this device')
  if (audiences && !audiences.some(url => withoutSlash(url) === withoutSlash(aud))) refuse('aud is another relay')
}

/**
 * Decodes a token and checks everything but its signature, the most expensive step. Throws RpcError 3000, which does not
 * quote the token.
 */
export const readJwt = (token: string, rules: Rules): Claimed => {
  const { claims, ...claimed } = decodeJwt(token, claimsSchema, 'payload must hold iss, aud, iat and exp')
  checkClaims(claims, rules)
  if (claims.exp - claims.iat > MAX_TOKEN_SECONDS) refuse(`exp must be at most ${MAX_TOKEN_SECONDS} seconds after iat`)
  return claimed
}
