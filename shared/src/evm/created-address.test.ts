import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect, test } from 'vitest'
import { toAddress } from './address.ts'
import { createdAddress } from './created-address.ts'
import { decodeData, encodeData } from './hex.ts'
import { encodeRlp } from './rlp.ts'

/** The first contracts of a well-known account, as published by block explorers. */
test.each([
  [0n, '0xcd234A471b72ba2F1Ccf0A70FCABA648a5eeCD8d'],
  [1n, '0x343c43A37D37dfF08AE8C4A11544c718AbB4fCF8'],
  [2n, '0xf778B86FA74E846c4f0a1fBd1335FE81c00a0C91'],
  [3n, '0xffFd933A0bC612844eaF0C6Fe3E5b8E9B6C1d19c'],
])('nonce %s', (nonce, address) => {
  expect(createdAddress('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0', nonce)).toBe(address)
})

test.each([0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xabcdefn, 2n ** 64n - 2n])('nonce %s, compared with RLP', nonce => {
  const maker = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0'
  const digits = nonce === 0n ? '' : nonce.toString(16)
  const counted = decodeData(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`)
  const hash = keccak_256(encodeRlp([decodeData(maker), counted]))
  expect(createdAddress(maker, nonce)).toBe(toAddress(encodeData(hash.subarray(12))))
})
