/**
 * Reasons why params, tokens and links are rejected, with English texts. `place` is the
 * path to a value: `params.topic`.
 */
import type { Catalogue } from '../reasons.ts'

/** `rule` is the schema's own text, for site developers. The wallet's pages never show it. */
export const paramReasons = {
  invalidParam: '{place}: {rule}',
  unknownMember: '{place}: is not known',
  wrongType: '{place}: must be of type {type}',
} as const satisfies Catalogue

/** Rules of peers' proposals. The wallet shows them if it rejects a proposal. */
export const proposalReasons = {
  notHexDigits: '{place}: must be {digits} hex digits',
  notSeconds: '{place}: must be a whole number of seconds from {least} to {most}',
} as const satisfies Catalogue

/** Rules of the servers' params and bodies. */
export const clientReasons = {
  notClaim: '{place}: must be {allowed}',
  notLowerHex: '{place}: must be {digits} lower-case hex digits',
  notSafeNumber: '{place}: must be a whole number below 2^53',
  notTopic: '{place}: must have 1 to {most} characters and no control characters',
  notWebhookUrl: '{place}: must be an http or https URL without credentials, at most {most} characters',
  notWellFormed: '{place}: must be well-formed Unicode text',
  notWholeNumber: '{place}: must be a whole number from {least} to {most}',
  spaceInUrl: '{place}: must not contain spaces or control characters',
  tooManyItems: '{place}: must have at most {most} items',
  watchTooLong: '{place}: must be at most {most} seconds after iat',
  wrongItemCount: '{place}: must have 1 to {most} items',
  wrongLength: '{place}: must have 1 to {most} characters',
} as const satisfies Catalogue

/** All rules that have their own reason. */
export const ruleReasons = { ...proposalReasons, ...clientReasons } as const

/** Tokens of relay clients. No text quotes the token. */
export const tokenReasons = {
  tokenTooLong: 'JWT is longer than {limit} characters',
  tokenNotThreeParts: 'JWT must have three parts',
  tokenHeader: 'JWT header must have alg EdDSA or Ed25519, no crit, and typ JWT if typ is present',
  tokenPayload: 'JWT payload must have {claims}',
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
  linkVersion: 'This pairing link is not version 2, the only version that the wallet supports.',
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
