/**
 * Authentication of relay clients: a JWT (RFC 7519) that the client issues under its did:key and signs with Ed25519 (RFC 8037).
 * https://specs.walletconnect.com/2.0/specs/clients/core/relay/relay-client-auth
 */
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { errorsOf, type RpcError } from '../errors.ts'
import { type DidKey, decodeDidKey, encodeDidKey } from './did-key.ts'
import { tokenReasons } from './reasons.ts'
import { comparableUrl } from './relay-url.ts'
import { fromUtf8 } from './text.ts'

/** Maximum length of a token in characters. Clients' tokens have about 450. */
const MAX_TOKEN_LENGTH = 4096
/**
 * Tolerated clock skew in seconds, in either direction. Wrong clocks are the most frequent reason for rejected tokens.
 */
const CLOCK_LEEWAY = 600
/** Maximum number of seconds from `iat` to `exp`. WalletConnect clients sign tokens for a day. */
const MAX_TOKEN_SECONDS = 7 * 24 * 60 * 60

/** `sub` is 64 hex digits of the client's choice, `aud` the relay's URL. `iat` and `exp` are Unix time in seconds. */
export type TokenClaims = { sub: string; aud: string; iat: number; exp: number }

const toPart = (value: unknown): string => base64urlnopad.encode(utf8ToBytes(JSON.stringify(value)))

/** Encodes a token with any claims. `sign` returns the Ed25519 signature of its argument. */
export const encodeJwt = (claims: object, sign: (signed: Uint8Array) => Uint8Array): string => {
  const signed = `${toPart({ alg: 'EdDSA', typ: 'JWT' })}.${toPart(claims)}`
  return `${signed}.${base64urlnopad.encode(sign(utf8ToBytes(signed)))}`
}

/** Signs a token with an Ed25519 private key of 32 bytes. The issuer is the did:key of the key. */
export const signJwt = ({ sub, aud, iat, exp }: TokenClaims, privateKey: Uint8Array): string => {
  const iss = encodeDidKey(ed25519.getPublicKey(privateKey))
  return encodeJwt({ iss, sub, aud, iat, exp }, signed => ed25519.sign(signed, privateKey))
}

const rpcError = errorsOf(tokenReasons)

/** Returns the RpcError 3000 for a token whose signature does not match. */
export const wrongSignature = (): RpcError => rpcError('unauthenticated', 'tokenSignature')

const attempt = <T>(read: () => T, failure: () => RpcError): T => {
  try {
    return read()
  } catch {
    throw failure()
  }
}

/** The media type of a JWT, in any case and with or without `application/` (RFC 7515 §4.1.9). */
const JWT_TYPE = /^(?:application\/)?jwt$/i

/** Two names of the same algorithm, since the key is on Ed25519: from RFC 8037 and, later, from RFC 9864. */
const ALGORITHMS = ['EdDSA', 'Ed25519'] as const

/**
 * Ignores other parameters (RFC 7515 §4). Rejects `crit`, which lists parameters that must be understood
 * (§4.1.11), because none is supported.
 */
const headerSchema = v.object({
  alg: v.picklist(ALGORITHMS),
  typ: v.optional(v.pipe(v.string(), v.regex(JWT_TYPE))),
  crit: v.optional(v.never()),
})

/** Unix time in seconds, possibly with a fraction (RFC 7519 §2). */
export const secondsSchema = v.pipe(v.number(), v.finite())
/** One audience or a list (RFC 7519 §4.1.3). */
export const audienceSchema = v.union([v.string(), v.array(v.string())])
const claimsSchema = v.object({
  iss: v.string(),
  aud: audienceSchema,
  iat: secondsSchema,
  exp: secondsSchema,
  nbf: v.optional(secondsSchema),
})

const fromPart = <S extends v.GenericSchema>(schema: S, part: string, failure: () => RpcError): v.InferOutput<S> =>
  attempt(() => v.parse(schema, JSON.parse(fromUtf8(base64urlnopad.decode(part)))), failure)

/**
 * Parameters of a relay's checks. `now` is Unix time in seconds and `leeway` is in seconds. `aud` must be equivalent to
 * one of `audiences`, the relay's public URLs; without `audiences`, any `aud` is accepted.
 */
export type TokenRules = { now: number; leeway?: number; audiences?: readonly string[] }

/**
 * A token with valid claims. `client` is authenticated only once the caller has verified that `signature` is
 * `publicKey`'s Ed25519 signature of `signed`.
 */
export type UnverifiedToken = { client: DidKey; publicKey: Uint8Array; signed: Uint8Array; signature: Uint8Array }

const SIGNATURE_LENGTH = 64

const SIGN_OF_X = 0x80

/** Returns the y coordinate of an encoded point. */
const yOf = (encoding: Uint8Array): bigint => {
  const y = Uint8Array.from(encoding)
  y[y.length - 1] = (y.at(-1) ?? 0) & ~SIGN_OF_X
  return bytesToNumberLE(y)
}

const SMALL_ORDER = new Set(ED25519_TORSION_SUBGROUP.map(point => yOf(hexToBytes(point))))

/**
 * True for a canonical encoding (RFC 8032 §5.1.3) of a point that is not of small order. Anyone can sign for a key of
 * small order. Verifying the signature, which costs more, also checks that the point is on the curve.
 */
const isCanonicalKey = (publicKey: Uint8Array): boolean => {
  const y = yOf(publicKey)
  return y < ed25519.Point.Fp.ORDER && !SMALL_ORDER.has(y)
}

/**
 * Decodes a token and checks its claims against `schema`. `names` lists the required claims for the error text. Does
 * not verify the signature. Throws RpcError 3000.
 */
export const decodeJwt = <S extends v.GenericSchema<unknown, { iss: string }>>(
  token: string,
  schema: S,
  names: string,
): UnverifiedToken & { claims: v.InferOutput<S> } => {
  if (token.length > MAX_TOKEN_LENGTH) throw rpcError('unauthenticated', 'tokenTooLong', { limit: MAX_TOKEN_LENGTH })
  const [header, payload, signaturePart, ...rest] = token.split('.')
  if (header === undefined || payload === undefined || signaturePart === undefined || rest.length > 0)
    throw rpcError('unauthenticated', 'tokenNotThreeParts')
  fromPart(headerSchema, header, () => rpcError('unauthenticated', 'tokenHeader'))
  const claims = fromPart(schema, payload, () => rpcError('unauthenticated', 'tokenPayload', { claims: names }))
  const publicKey = attempt(
    () => decodeDidKey(claims.iss),
    () => rpcError('unauthenticated', 'tokenIssuer'),
  )
  const wrongLength = () => rpcError('unauthenticated', 'tokenSignatureLength', { bytes: SIGNATURE_LENGTH })
  const signature = attempt(() => base64urlnopad.decode(signaturePart), wrongLength)
  if (signature.length !== SIGNATURE_LENGTH) throw wrongLength()
  if (!isCanonicalKey(publicKey)) throw rpcError('unauthenticated', 'tokenKey')
  return { claims, client: encodeDidKey(publicKey), publicKey, signed: utf8ToBytes(`${header}.${payload}`), signature }
}

const spellingOf = (audience: string): string => comparableUrl(audience) ?? audience

const namesOneOf = (aud: string | readonly string[], audiences: readonly string[]): boolean => {
  const known = new Set(audiences.map(spellingOf))
  return [aud].flat().some(audience => known.has(spellingOf(audience)))
}

/**
 * Checks times and audience, with the leeway: a token expires at `exp` (RFC 7519 §4.1.4) and is not valid before `nbf`
 * (§4.1.5). Throws RpcError 3000.
 */
export const checkClaims = (
  { aud, iat, exp, nbf = iat }: { aud: string | readonly string[]; iat: number; exp: number; nbf?: number | undefined },
  { now, leeway = CLOCK_LEEWAY, audiences }: TokenRules,
): void => {
  if (iat > now + leeway) throw rpcError('unauthenticated', 'tokenFromFuture')
  if (nbf > now + leeway) throw rpcError('unauthenticated', 'tokenNotYetValid')
  if (now - leeway >= exp) throw rpcError('unauthenticated', 'tokenExpired')
  if (audiences && !namesOneOf(aud, audiences)) throw rpcError('unauthenticated', 'tokenAudience')
}

/**
 * Decodes a token of at most 4,096 characters and a validity of at most 7 days, and checks everything but
 * its signature, which is the most expensive step. The leeway is 600 seconds by default. Throws RpcError
 * 3000, which does not quote the token.
 */
export const readJwt = (token: string, rules: TokenRules): UnverifiedToken => {
  const { claims, ...claimed } = decodeJwt(token, claimsSchema, 'iss, aud, iat and exp')
  checkClaims(claims, rules)
  if (claims.exp - claims.iat > MAX_TOKEN_SECONDS)
    throw rpcError('unauthenticated', 'tokenTooLongValid', { limit: MAX_TOKEN_SECONDS })
  return claimed
}
