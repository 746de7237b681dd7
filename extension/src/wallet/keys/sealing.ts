/**
 * Encrypts stored values with a key in the vault: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03). The name of the
 * value is associated data, so that values cannot be swapped on disk.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { fromBase64, toBase64 } from './base64.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 24

const SealedSchema = v.object({
  version: v.picklist([1, 2]),
  nonce: v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${2 * NONCE_BYTES}}$`))),
  /** Hex in version 1; base64, which is shorter, in version 2. */
  sealed: v.string(),
})

export type Sealed = v.InferOutput<typeof SealedSchema>

/** Returns a new key, 32 bytes in hex. */
export const newSealingKey = (): string => bytesToHex(randomBytes(KEY_BYTES))

const cipherOf = (key: string, name: string, nonce: Uint8Array) =>
  xchacha20poly1305(hexToBytes(key), nonce, utf8ToBytes(`heliograph ${name}`))

/** Encrypts a JSON value. `key` is 32 bytes in hex. */
export const seal = (key: string, name: string, value: unknown): Sealed => {
  const nonce = randomBytes(NONCE_BYTES)
  const sealed = cipherOf(key, name, nonce).encrypt(utf8ToBytes(JSON.stringify(value)))
  return { version: 2, nonce: bytesToHex(nonce), sealed: toBase64(sealed) }
}

/** Decrypts the value sealed under this name. Returns undefined if it has another format or does not authenticate. */
export const openSealed = (key: string, name: string, stored: unknown): { value: unknown } | undefined => {
  if (!isSealed(stored)) return undefined
  const { version, nonce, sealed } = stored
  try {
    const bytes = version === 1 ? hexToBytes(sealed) : fromBase64(sealed)
    const plain = cipherOf(key, name, hexToBytes(nonce)).decrypt(bytes)
    return { value: JSON.parse(new TextDecoder().decode(plain)) }
  } catch {
    return undefined
  }
}

/** True if the value has the format of a sealed value, under any key. */
export const isSealed = (stored: unknown): stored is Sealed => v.is(SealedSchema, stored)
