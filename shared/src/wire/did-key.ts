/** Ed25519 public keys as did:key: https://w3c-ccg.github.io/did-key-spec/ */
import { concatBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { valueErrorsOf } from '../evm/value-error.ts'
import { didKeyReasons } from './reasons.ts'

const valueError = valueErrorsOf(didKeyReasons)

/** Identifier of a relay client. Each key has exactly one. */
export type DidKey = `did:key:z${string}`

/** Multicodec prefix of an Ed25519 public key. */
const ED25519 = Uint8Array.of(0xed, 0x01)
const KEY_LENGTH = 32

/** Matches every Ed25519 key, because the multicodec determines the first characters and the length. */
const DID_KEY = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

/** Encodes a public key of 32 bytes as `did:key:z` ‖ base58btc(0xed 0x01 ‖ key). */
export const encodeDidKey = (publicKey: Uint8Array): DidKey =>
  `did:key:z${base58.encode(concatBytes(ED25519, publicKey))}`

/** Decodes a did:key to a public key of 32 bytes. Throws ValueError without quoting the input. */
export const decodeDidKey = (did: string): Uint8Array => {
  const bytes = DID_KEY.test(did) ? base58.decode(did.slice('did:key:z'.length)) : new Uint8Array()
  const key = bytes.slice(ED25519.length)
  if (key.length !== KEY_LENGTH || !ED25519.every((byte, i) => byte === bytes[i])) throw valueError('notDidKey')
  return key
}
