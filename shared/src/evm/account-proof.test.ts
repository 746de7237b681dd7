import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_CODE_HASH, hashCode, readAccountProof, readStorageProof } from './account-proof.ts'
import { type Address, toAddress } from './address.ts'
import { decodeData, encodeData, type Hex } from './hex.ts'
import { encodeRlp } from './rlp.ts'
import { stateOf, trieOf } from './trie.fixture.ts'
import { EMPTY_TRIE_ROOT } from './trie-proof.ts'

const addressOf = (bytes: Uint8Array): Address => toAddress(encodeData(bytes))
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(addressOf)
const account = fc.record({
  balance: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
  nonce: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  code: fc.uint8Array({ maxLength: 20 }).map(encodeData),
})

test('an account of a state is proved, and an absent one has nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(address, account, { minKeys: 1, maxKeys: 20 }), address, (accounts, absent) => {
      const state = stateOf(accounts)
      for (const [own, { balance, nonce, code }] of Object.entries(accounts))
        expect(readAccountProof(state.root, own as Address, state.prove(own))).toEqual({
          balance,
          nonce,
          codeHash: hashCode(code),
          storageRoot: EMPTY_TRIE_ROOT,
        })
      fc.pre(!(absent in accounts))
      expect(readAccountProof(state.root, absent, state.prove(absent))).toEqual({
        balance: 0n,
        nonce: 0n,
        codeHash: EMPTY_CODE_HASH,
        storageRoot: EMPTY_TRIE_ROOT,
      })
    }),
  )
})

test('the hash of no code is the known one', () => {
  expect(hashCode('0x')).toBe(EMPTY_CODE_HASH)
})

const slotKey = (slot: bigint) => keccak_256(decodeData(`0x${slot.toString(16).padStart(64, '0')}`))

test('a slot of a storage is proved, and an empty one is zero', () => {
  const storage = trieOf([
    [slotKey(0n), encodeRlp(Uint8Array.of(7))],
    [slotKey(5n), encodeRlp(Uint8Array.of(1, 0))],
  ])
  expect(readStorageProof(storage.root, 5n, storage.prove(slotKey(5n)))).toBe(256n)
  expect(readStorageProof(storage.root, 1n, storage.prove(slotKey(1n)))).toBe(0n)
  expect(readStorageProof(EMPTY_TRIE_ROOT, 1n, [])).toBe(0n)
})

const OWNER = addressOf(new Uint8Array(20).fill(9))
const word = (byte: number) => new Uint8Array(32).fill(byte)

test.each<[name: string, fields: Uint8Array[], message: RegExp]>([
  ['three fields', [word(1), word(1), word(1)], /does not have 4 fields/],
  ['a leading zero', [Uint8Array.of(0, 1), word(1), word(1), word(1)], /accountProof\.nonce: .* leading zeros/],
  [
    'a balance over 256 bits',
    [word(1), new Uint8Array(33).fill(1), word(1), word(1)],
    /balance: .* does not fit uint256/,
  ],
  ['a short hash', [word(1), word(1), word(1).slice(1), word(1)], /storageRoot: .* is not 32 bytes long/],
])('an account with %s is refused', (_, fields, message) => {
  const trie = trieOf([[keccak_256(decodeData(OWNER)), encodeRlp(fields)]])
  const proof: Hex[] = trie.prove(keccak_256(decodeData(OWNER)))
  expect(() => readAccountProof(trie.root, OWNER, proof)).toThrow(message)
})
