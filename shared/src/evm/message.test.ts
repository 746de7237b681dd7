import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeData } from './hex.ts'
import { hashMessage, recoverMessage, signMessage } from './message.ts'
import { addressOfPrivateKey } from './signature.ts'

const key = new Uint8Array(32).fill(7)

test('recovers the signer under the same network name', () => {
  const networks = fc.constantFrom('Ethereum', 'Klaytn', 'Ünïcode')
  fc.assert(
    fc.property(fc.uint8Array(), networks, (message, network) => {
      expect(recoverMessage(message, signMessage(message, key, network), network)).toBe(addressOfPrivateKey(key))
    }),
  )
})

test('a signature for one network does not recover the signer for another', () => {
  const message = utf8ToBytes('hello')
  expect(recoverMessage(message, signMessage(message, key, 'Ethereum'), 'Klaytn')).not.toBe(addressOfPrivateKey(key))
})

test('the prefix counts bytes, not characters', () => {
  const text = 'žluťoučký kůň'
  expect(hashMessage(utf8ToBytes(text), 'Ethereum')).toBe(
    encodeData(keccak_256(utf8ToBytes(`\x19Ethereum Signed Message:\n19${text}`))),
  )
})

test('hashes an empty message', () => {
  expect(hashMessage(new Uint8Array(), 'Ethereum')).toBe(
    encodeData(keccak_256(utf8ToBytes('\x19Ethereum Signed Message:\n0'))),
  )
})

test.each(['', '\x01', 'Ether\neum', 'Ethereum\u0000', '\u007f'])('refuses %j as a network name', name => {
  expect(() => hashMessage(new Uint8Array(), name)).toThrow('network name: ')
})

test('refuses to recover from an invalid signature', () => {
  expect(() => recoverMessage(new Uint8Array(), '0x1234', 'Ethereum')).toThrow('signature: "0x1234" has 2 bytes')
})
