/**
 * Envelopes of the v2 protocol: JSON-RPC text sealed with ChaCha20-Poly1305 (RFC 8439). The topic is the hash of
 * the key. https://specs.walletconnect.com/2.0/specs/clients/core/crypto/crypto-envelopes
 *
 * Type 0: 0x00 ‖ iv ‖ sealed. Type 1: 0x01 ‖ sender's public key ‖ iv ‖ sealed. Type 2 is not
 * encrypted and is used in links between apps, never over a relay, so it is refused. Encoded as padded standard base64.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { valueErrorsOf } from '../evm/value-error.ts'
import { envelopeReasons } from './reasons.ts'
import { fromUtf8 } from './text.ts'

const KEY_LENGTH = 32
const IV_LENGTH = 12
const TAG_LENGTH = 16

/** The parts of an envelope: an iv of 12 bytes, the sealed text with its tag of 16 bytes, and a public key of 32 bytes. */
export type Envelope =
  | { type: 0; iv: Uint8Array; sealed: Uint8Array }
  | { type: 1; senderPublicKey: Uint8Array; iv: Uint8Array; sealed: Uint8Array }

/** Returns the X25519 public key of a private key, 32 bytes each. */
export const x25519PublicKey = (privateKey: Uint8Array): Uint8Array => x25519.getPublicKey(privateKey)

/**
 * Derives the key shared by both sides of a session: X25519, then HKDF-SHA256 without salt and info. Throws for keys
 * that are not 32 bytes, and for public keys of small order, whose shared secret is public knowledge.
 */
export const deriveSymKey = (privateKey: Uint8Array, peerPublicKey: Uint8Array): Uint8Array =>
  hkdf(sha256, x25519.getSharedSecret(privateKey, peerPublicKey), undefined, undefined, KEY_LENGTH)

/** Returns the topic of a symmetric key or, for type 1, of the receiver's public key: its SHA-256 in hex. */
export const topicOf = (key: Uint8Array): string => bytesToHex(sha256(key))

/** Seals text with a new random iv, because a key must never be used with the same iv twice. */
const encode = (head: Uint8Array, text: string, symKey: Uint8Array): string => {
  const iv = randomBytes(IV_LENGTH)
  return base64.encode(concatBytes(head, iv, chacha20poly1305(symKey, iv).encrypt(utf8ToBytes(text))))
}

/** Seals text in an envelope of type 0, for a key that both sides already have. */
export const sealEnvelope = (text: string, symKey: Uint8Array): string => encode(Uint8Array.of(0), text, symKey)

/** Seals text in an envelope of type 1, which carries the sender's public key for deriving `symKey`. */
export const sealEnvelopeFrom = (text: string, symKey: Uint8Array, senderPublicKey: Uint8Array): string =>
  encode(concatBytes(Uint8Array.of(1), senderPublicKey), text, symKey)

const valueError = valueErrorsOf(envelopeReasons)
const fail = (reason: keyof typeof envelopeReasons): never => {
  throw valueError(reason)
}

const fromBase64 = (text: string): Uint8Array => {
  try {
    return base64.decode(text)
  } catch {
    return fail('envelopeNotBase64')
  }
}

/** Splits an envelope of type 0 or 1 into its parts without decrypting it. Throws ValueError. */
export const decodeEnvelope = (text: string): Envelope => {
  const bytes = fromBase64(text)
  const type = bytes[0]
  if (type === 2) return fail('envelopeNotEncrypted')
  if (type !== 0 && type !== 1) return fail('envelopeUnknownType')
  const ivStart = type === 0 ? 1 : 1 + KEY_LENGTH
  const sealedStart = ivStart + IV_LENGTH
  if (bytes.length < sealedStart + TAG_LENGTH) return fail('envelopeTruncated')
  const parts = { iv: bytes.slice(ivStart, sealedStart), sealed: bytes.slice(sealedStart) }
  return type === 0 ? { type, ...parts } : { type, senderPublicKey: bytes.slice(1, ivStart), ...parts }
}

/** Decrypts an envelope. Throws ValueError if it was altered or sealed with another key. */
export const openEnvelope = ({ iv, sealed }: Envelope, symKey: Uint8Array): string => {
  try {
    return fromUtf8(chacha20poly1305(symKey, iv).decrypt(sealed))
  } catch {
    return fail('envelopeOtherKey')
  }
}
