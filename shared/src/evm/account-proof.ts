/**
 * Proofs of accounts and of their storage: https://eips.ethereum.org/EIPS/eip-1186. A proof shows that a value belongs
 * to a state root. Whether the chain has this state root must be known from elsewhere.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address } from './address.ts'
import { fail } from './fail.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { decodeRlp, isRlpList, type RlpItem } from './rlp.ts'
import { EMPTY_TRIE_ROOT, readTrieProof } from './trie-proof.ts'

/** Hash of an account's code if it has none: keccak256 of no bytes. */
export const EMPTY_CODE_HASH: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** An account in the state. `balance` is in wei. */
export type AccountState = { nonce: bigint; balance: bigint; storageRoot: Hex; codeHash: Hex }

const ABSENT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
}

const WORD_BYTES = 32
const ADDRESS_BYTES = 20
const SLOT_DIGITS = 2 * WORD_BYTES

const bytesIn = (item: RlpItem | undefined, place: string): Uint8Array =>
  item instanceof Uint8Array ? item : fail(place, item, 'notByteString')

const numberIn = (item: RlpItem | undefined, place: string): bigint => {
  const bytes = bytesIn(item, place)
  if (bytes.length > WORD_BYTES) return fail(place, bytes, 'outOfRange', { type: 'uint256' })
  if (bytes[0] === 0) return fail(place, bytes, 'leadingZeros')
  return bytes.length === 0 ? 0n : BigInt(encodeData(bytes))
}

const hashIn = (item: RlpItem | undefined, place: string): Hex => {
  const bytes = bytesIn(item, place)
  return bytes.length === WORD_BYTES ? encodeData(bytes) : fail(place, bytes, 'wrongSize', { wanted: WORD_BYTES })
}

/**
 * Verifies an account's proof against a state root. Returns the account, with zeros and empty hashes if the proof shows
 * that it does not exist. Throws ValueError.
 */
export const readAccountProof = (stateRoot: Hex, account: Address, proof: readonly Hex[]): AccountState => {
  const place = 'accountProof'
  const value = readTrieProof(stateRoot, keccak_256(decodeData(account, place, ADDRESS_BYTES)), proof, place)
  if (value === null) return ABSENT
  const fields = decodeRlp(value, place)
  if (!isRlpList(fields) || fields.length !== 4) return fail(place, fields, 'wrongFieldCount', { wanted: 4 })
  return {
    nonce: numberIn(fields[0], `${place}.nonce`),
    balance: numberIn(fields[1], `${place}.balance`),
    storageRoot: hashIn(fields[2], `${place}.storageRoot`),
    codeHash: hashIn(fields[3], `${place}.codeHash`),
  }
}

/** Verifies a storage slot's proof against an account's storage root. Returns the value. Throws ValueError. */
export const readStorageProof = (storageRoot: Hex, slot: bigint, proof: readonly Hex[]): bigint => {
  const place = 'storageProof'
  const key = keccak_256(decodeData(`0x${slot.toString(16).padStart(SLOT_DIGITS, '0')}`, place, WORD_BYTES))
  const value = readTrieProof(storageRoot, key, proof, place)
  return value === null ? 0n : numberIn(decodeRlp(value, place), place)
}

/** Returns the hash of code, as accounts contain it. Throws ValueError. */
export const hashCode = (code: Hex): Hex => encodeData(keccak_256(decodeData(code, 'code')))
