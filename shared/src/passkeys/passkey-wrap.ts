/**
 * Wraps a vault's key for a passkey, so that the passkey opens the vault beside the password.
 *
 * The output of the passkey's PRF (WebAuthn Level 3, §10.1.4) gives an X25519 key pair (RFC 7748), and the key is
 * sealed for its public key: HKDF-SHA256 (RFC 5869), then XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03). So a vault
 * gets a new key without any passkey at hand, and whoever has only the public key opens nothing.
 *
 * Version, credential and vault are associated data: a wrap opens only the vault for which it was made. Wrapping is
 * deterministic, because the ephemeral key is derived from the wrapped key, which is secret and uniform. So the vault's
 * owner can compare a stored wrap with the expected one.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const VERSION = 1
const KEY_BYTES = 32
const NONCE_BYTES = 24

/** What a wrap belongs to: a credential (base64url), and a vault, by a text that changes with the vault's key. */
export type PasskeyVault = { credentialId: string; vaultId: string }

/** A wrapped key. `ephemeralKey` is an X25519 public key, and `sealed` the key with its tag of 16 bytes, both in hex. */
export type PasskeyWrap = { version: typeof VERSION; credentialId: string; ephemeralKey: string; sealed: string }

const derive = (secret: Uint8Array, salt: Uint8Array | undefined, use: string, length: number): Uint8Array =>
  hkdf(sha256, secret, salt, utf8ToBytes(`heliograph passkey ${VERSION} ${use}`), length)

const associated = ({ credentialId, vaultId }: PasskeyVault): Uint8Array =>
  utf8ToBytes(JSON.stringify(['heliograph passkey', VERSION, credentialId, vaultId]))

/** Derives the private key from the PRF's output. */
const privateKeyOf = (output: Uint8Array): Uint8Array => derive(output, undefined, 'private key', KEY_BYTES)

/** Returns the public key of a passkey, 32 bytes, from its PRF's output, 32 bytes. */
export const passkeyPublicKey = (output: Uint8Array): Uint8Array => {
  const privateKey = privateKeyOf(output)
  try {
    return x25519.getPublicKey(privateKey)
  } finally {
    privateKey.fill(0)
  }
}

/** Creates the cipher. Each pair of keys encrypts only one key, so that the nonce can be derived too. */
const cipherOf = (own: Uint8Array, peer: Uint8Array, salt: Uint8Array, vault: PasskeyVault) => {
  const shared = x25519.getSharedSecret(own, peer)
  const derived = derive(shared, salt, 'wrap', KEY_BYTES + NONCE_BYTES)
  shared.fill(0)
  return xchacha20poly1305(derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES), associated(vault))
}

/** Wraps a uniform secret key of 32 bytes for a passkey's public key. */
export const wrapForPasskey = (key: Uint8Array, publicKey: Uint8Array, vault: PasskeyVault): PasskeyWrap => {
  const ephemeral = derive(key, concatBytes(publicKey, associated(vault)), 'ephemeral key', KEY_BYTES)
  try {
    const ephemeralKey = x25519.getPublicKey(ephemeral)
    const sealed = cipherOf(ephemeral, publicKey, concatBytes(ephemeralKey, publicKey), vault).encrypt(key)
    return {
      version: VERSION,
      credentialId: vault.credentialId,
      ephemeralKey: bytesToHex(ephemeralKey),
      sealed: bytesToHex(sealed),
    }
  } finally {
    ephemeral.fill(0)
  }
}

/**
 * Returns the wrapped key, 32 bytes, which the caller wipes. Returns null if the wrap was altered, or belongs to another
 * passkey or vault.
 */
export const unwrapWithPasskey = (wrap: PasskeyWrap, output: Uint8Array, vaultId: string): Uint8Array | null => {
  const privateKey = privateKeyOf(output)
  try {
    const ephemeralKey = hexToBytes(wrap.ephemeralKey)
    const salt = concatBytes(ephemeralKey, x25519.getPublicKey(privateKey))
    const vault = { credentialId: wrap.credentialId, vaultId }
    return cipherOf(privateKey, ephemeralKey, salt, vault).decrypt(hexToBytes(wrap.sealed))
  } catch {
    return null
  } finally {
    privateKey.fill(0)
  }
}
