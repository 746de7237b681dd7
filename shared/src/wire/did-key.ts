/** Ed25519 public keys as did:key: https://w3c-ccg.github.io/did-key-spec/ */
import { concatBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { ValueError } from '../evm/hex.ts'

/** A relay client's name. One key has exactly one. */
export type DidKey = `did:key:z${string}`

/** Multicodec of an Ed25519 public key. */
const ED25519 = Uint8Array.of(0xed, 0x01)
const KEY_LENGTH = 32

/** Every Ed25519 key in this form: the multicodec makes the first letters, and the length, the same for all. */
const DID_KEY = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

/** `did:key:z` ‖ base58btc(0xed 0x01 ‖ 32-byte key). */
export const encodeDidKey = (publicKey: Uint8Array): DidKey =>
  `did:key:z${base58.encode(concatBytes(ED25519, publicKey))}`

/** The 32-byte public key of a did:key. Throws ValueError; the text does not repeat the input. */
export const decodeDidKey = (did: string): Uint8Array => {
  const bytes = DID_KEY.test(did) ? base58.decode(did.slice('did:key:z'.length)) : new Uint8Array()
  const key = bytes.slice(ED25519.length)
  if (key.length !== KEY_LENGTH || !ED25519.every((byte, i) => byte === bytes[i]))
    throw new ValueError('did:key: must be the did:key of an Ed25519 public key')
  return key
}
