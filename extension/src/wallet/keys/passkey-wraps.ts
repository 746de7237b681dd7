/**
 * The passkeys that open the vault beside the password. Who they are is a secret in the vault. Beside the vault's
 * ciphertext, the file has a wrap of the vault's key for each of them. Wraps are not trusted: a malformed or altered one
 * only fails to open, and the next unlock replaces it.
 */
import {
  type PasskeyWrap,
  passkeyPublicKey,
  unwrapWithPasskey,
  wrapForPasskey,
} from '@heliograph/shared/passkeys/passkey-wrap'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { rpcError } from '../text/errors.ts'

/** A passkey: its credential id (base64url), creation time (Unix ms), and X25519 public key (hex). */
export type Passkey = { id: string; name: string; createdAt: number; publicKey: string }

/** A credential id and the output of its PRF, 32 bytes, which opens the passkey's wrap. */
export type PasskeyProof = { id: string; output: Uint8Array }

/** Maximum number of passkeys. Each one makes the vault's file a little longer. */
export const MAX_PASSKEYS = 10

const OUTPUT = /^[0-9a-f]{64}$/
/** Longest credential id, in base64url: 1023 bytes (WebAuthn Level 3, §5.8.3). */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/

const WrapSchema = v.object({
  version: v.literal(1),
  credentialId: v.pipe(v.string(), v.regex(CREDENTIAL_ID)),
  ephemeralKey: v.pipe(v.string(), v.regex(OUTPUT)),
  sealed: v.pipe(v.string(), v.regex(/^[0-9a-f]{96}$/)),
})

/** Returns the wraps of a stored file. Skips everything else, so that the password still opens the file. */
export const parseWraps = (stored: unknown): PasskeyWrap[] =>
  Array.isArray(stored)
    ? stored.slice(0, MAX_PASSKEYS).flatMap(one => {
        const parsed = v.safeParse(WrapSchema, one)
        return parsed.success ? [parsed.output] : []
      })
    : []

/** Parses what a page got from a passkey. Throws -32602 if it has another form. The error does not contain it. */
export const toProof = ({ id, output }: { id: string; output: string }): PasskeyProof => {
  if (!CREDENTIAL_ID.test(id) || !OUTPUT.test(output)) throw rpcError('invalidParams', 'passkeyForm')
  return { id, output: hexToBytes(output) }
}

/** Returns a new passkey, whose wraps open with the proof's output. */
export const passkeyOf = ({ id, output }: PasskeyProof, name: string, createdAt: number): Passkey => ({
  id,
  name,
  createdAt,
  publicKey: bytesToHex(passkeyPublicKey(output)),
})

/** Wraps the vault's key for each passkey. `vaultId` changes with the key. Equal arguments give equal wraps. */
export const wrapsFor = (passkeys: readonly Passkey[], key: Uint8Array, vaultId: string): PasskeyWrap[] =>
  passkeys.map(({ id, publicKey }) => wrapForPasskey(key, hexToBytes(publicKey), { credentialId: id, vaultId }))

/**
 * Returns the vault's key, which the caller wipes. Throws 4100: `passkeyUnknown` if the vault has no wrap for the
 * passkey, `passkeyDamaged` if its wrap does not open.
 */
export const keyFrom = (wraps: readonly PasskeyWrap[], { id, output }: PasskeyProof, vaultId: string): Uint8Array => {
  const wrap = wraps.find(({ credentialId }) => credentialId === id)
  if (!wrap) throw rpcError('unauthorized', 'passkeyUnknown')
  const key = unwrapWithPasskey(wrap, output, vaultId)
  if (!key) throw rpcError('unauthorized', 'passkeyDamaged')
  return key
}
