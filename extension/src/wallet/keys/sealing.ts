/**
 * Encrypts stored values with a key in the vault: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03). A value's name and
 * revision are associated data, so values cannot be swapped on disk, and an older value cannot pass for a newer one.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'

const KEY_BYTES = 32
const NONCE_BYTES = 24

const content = {
  nonce: v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${2 * NONCE_BYTES}}$`))),
  /** Hex in version 1. Base64, which is shorter, since version 2. */
  sealed: v.string(),
}

const SealedSchema = v.variant('version', [
  v.object({ version: v.literal(1), ...content }),
  v.object({ version: v.literal(2), ...content }),
  v.object({ version: v.literal(3), revision: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), ...content }),
])

type Sealed = v.InferOutput<typeof SealedSchema>

/** Bytes per call of `String.fromCharCode`: a call's number of arguments is limited. */
const CHUNK = 8_192

/** Base64 (RFC 4648 §4) with the platform's `btoa` and `atob`. */
const toBase64 = (bytes: Uint8Array): string => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(parts.join(''))
}

/** Throws DOMException if the text is not base64. */
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), character => character.charCodeAt(0))

/** Returns a new key, 32 bytes in hex. */
export const newSealingKey = (): string => bytesToHex(randomBytes(KEY_BYTES))

/** Creates the cipher. `label` is the name, followed by the revision if there is one. */
const cipherOf = (key: string, label: string, nonce: Uint8Array) =>
  xchacha20poly1305(hexToBytes(key), nonce, utf8ToBytes(`heliograph ${label}`))

/**
 * Encrypts a JSON value. `key` is 32 bytes in hex, and `revision` the number of times that the value was written,
 * including this one.
 */
export const seal = (key: string, name: string, value: unknown, revision: number): Sealed => {
  const nonce = randomBytes(NONCE_BYTES)
  const sealed = cipherOf(key, `${name} ${revision}`, nonce).encrypt(utf8ToBytes(JSON.stringify(value)))
  return { version: 3, revision, nonce: bytesToHex(nonce), sealed: toBase64(sealed) }
}

/** A decrypted value. Its revision is 0 if an earlier version of the wallet sealed it. */
export type OpenedValue = { value: unknown; revision: number }

/** Decrypts a value sealed under this name. Returns undefined if it has another format or fails authentication. */
export const openSealed = (key: string, name: string, stored: unknown): OpenedValue | undefined => {
  if (!isSealed(stored)) return undefined
  const { version, nonce, sealed } = stored
  const revision = version === 3 ? stored.revision : 0
  try {
    const bytes = version === 1 ? hexToBytes(sealed) : fromBase64(sealed)
    const label = version === 3 ? `${name} ${revision}` : name
    const plain = cipherOf(key, label, hexToBytes(nonce)).decrypt(bytes)
    return { value: JSON.parse(new TextDecoder().decode(plain)), revision }
  } catch {
    return undefined
  }
}

/** True if the value has the format of a sealed value, whatever its key. */
export const isSealed = (stored: unknown): stored is Sealed => v.is(SealedSchema, stored)
