/** Why params, tokens and links are refused, in English. `place` is the path to a value, such as `params.topic`. */
import type { Catalogue } from '../reasons.ts'

/** `rule` is the schema's own text, for the developer of the client. */
export const paramReasons = {
  invalidParam: '{place}: {rule}',
} as const satisfies Catalogue

/** Tokens of relay clients. No text quotes the token. */
export const tokenReasons = {
  tokenTooLong: 'JWT is longer than {limit} characters',
  tokenNotThreeParts: 'JWT must have three parts',
  tokenHeader: 'JWT header must have alg EdDSA and typ JWT',
  tokenPayload: 'JWT payload must hold {claims}',
  tokenIssuer: 'JWT iss must be the did:key of an Ed25519 public key',
  tokenKey: 'JWT iss must be a canonical Ed25519 key, not of small order',
  tokenSignatureLength: 'JWT signature must be {bytes} bytes in base64url',
  tokenSignature: 'JWT signature does not match',
  tokenFromFuture: 'JWT was issued in the future: check the clock of this device',
  tokenNotYetValid: 'JWT is not valid yet: check the clock of this device',
  tokenExpired: 'JWT has expired: check the clock of this device',
  tokenAudience: 'JWT aud is another relay',
  tokenTooLongValid: 'JWT exp must be at most {limit} seconds after iat',
} as const satisfies Catalogue

/** Envelopes of session messages. */
export const envelopeReasons = {
  envelopeNotBase64: 'envelope: is not base64 with padding',
  envelopeNotEncrypted: 'envelope: type 2 is not encrypted and not accepted from a relay',
  envelopeUnknownType: 'envelope: has an unknown type',
  envelopeTruncated: 'envelope: is truncated',
  envelopeOtherKey: 'envelope: cannot be decrypted with this key',
} as const satisfies Catalogue

/** Pairing links. No text quotes the link, which holds a key. */
export const linkReasons = {
  linkTooLong: 'This is not a pairing link: it is longer than {limit} characters.',
  linkNotWc: 'This is not a pairing link: it must start with wc: or be the base64 of such a link.',
  linkRepeatsParameter: 'This is not a pairing link: it has a duplicate parameter.',
  linkForm: 'This is not a pairing link: it must have the form wc:<topic>@2?<parameters>.',
  linkVersion: 'This pairing link is not of version 2, the only one that the wallet supports.',
  linkTopic: 'This is not a pairing link: its topic must be 64 lower-case hex digits.',
  linkKey: 'This is not a pairing link: its symKey must be 64 hex digits.',
  linkNoProtocol: 'This is not a pairing link: it has no relay-protocol.',
  linkExpiry: 'This is not a pairing link: its expiryTimestamp must be a whole number of seconds.',
} as const satisfies Catalogue

/** Messages to sign. The text does not quote the message. */
export const messageReasons = {
  notMessage: 'message: must be DATA, 0x and an even number of hex digits, or well-formed text',
} as const satisfies Catalogue

/** Keys of clients. */
export const didKeyReasons = {
  notDidKey: 'did:key: must be the did:key of an Ed25519 public key',
} as const satisfies Catalogue
