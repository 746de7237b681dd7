import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOfPublicKey, fromChainCase, sameAddress, toAddress, toChainCase } from './address.ts'
import { decodeData, encodeData } from './hex.ts'
import { ValueError } from './value-error.ts'

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

test('addresses get EIP-55 case, which is accepted as input', () => {
  const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(addresses, bytes => {
      const address = toAddress(encodeData(bytes))
      expect(toAddress(address)).toBe(address)
      expect(decodeData(address)).toEqual(bytes)
    }),
  )
})

test.each([
  // The vectors of EIP-1191 for Rootstock and its test network.
  [30, '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD'],
  [30, '0xFb6916095cA1Df60bb79ce92cE3EA74c37c5d359'],
  [30, '0xDBF03B407c01E7CD3cBea99509D93F8Dddc8C6FB'],
  [30, '0xD1220A0Cf47c7B9BE7a2e6ba89F429762E7B9adB'],
  [31, '0x5aAeb6053F3e94c9b9A09F33669435E7EF1BEaEd'],
  [31, '0xFb6916095CA1dF60bb79CE92ce3Ea74C37c5D359'],
  [31, '0xdbF03B407C01E7cd3cbEa99509D93f8dDDc8C6fB'],
  [31, '0xd1220a0CF47c7B9Be7A2E6Ba89f429762E7b9adB'],
])('on chain %i, an address is written %s', (chainId, address) => {
  const plain = toAddress(address.toLowerCase())
  expect(toChainCase(plain, chainId)).toBe(address)
  for (const on of [chainId, null]) expect(fromChainCase(address, on)).toBe(plain)
  for (const on of [1, 61 - chainId]) {
    expect(fromChainCase(address, on)).toBe(address)
    expect(() => toAddress(fromChainCase(address, on))).toThrow('wrong EIP-55 checksum')
  }
})

test('an address is read in the case of its chain, and all other values stay unchanged', () => {
  const chain = fc.constantFrom(1, 10, 30, 31, 42220)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), chain, (bytes, chainId) => {
      const plain = toAddress(encodeData(bytes))
      expect(fromChainCase(toChainCase(plain, chainId), chainId)).toBe(plain)
      for (const text of [plain, plain.toLowerCase()]) expect(toAddress(fromChainCase(text, chainId))).toBe(plain)
    }),
  )
  fc.assert(
    fc.property(fc.anything(), chain, (value, chainId) => {
      expect(fromChainCase(value, chainId)).toBe(value)
    }),
  )
})

test('an address with a wrong checksum is refused with an error that names the place', () => {
  const wrong = checksummed.replace('a', 'A')
  expect(() => toAddress(wrong, 'params[0].to')).toThrow(
    expect.objectContaining({ message: `params[0].to: "${wrong}" has a wrong EIP-55 checksum` }),
  )
})

test.each([undefined, null, 42, '', '0x', [checksummed]])('%j is not an address', value => {
  expect(() => toAddress(value)).toThrow('is not an address: 0x and 40 hex digits')
})

test('sameAddress ignores case', () => {
  expect(sameAddress(checksummed, checksummed.toLowerCase())).toBe(true)
  expect(sameAddress(checksummed, checksummed.replace('d', 'e'))).toBe(false)
})

test('only an uncompressed public key has an address', () => {
  const key = Uint8Array.of(4, ...new Uint8Array(64))
  expect(addressOfPublicKey(key)).toMatch(/^0x/)
  const compressed = Uint8Array.of(2, ...new Uint8Array(32))
  for (const other of [new Uint8Array(), key.subarray(1), compressed, Uint8Array.of(...key, 0), key.with(0, 6)])
    expect(() => addressOfPublicKey(other)).toThrow(ValueError)
  expect(() => addressOfPublicKey(compressed)).toThrow(
    'public key: 33 bytes is not an uncompressed key: 0x04 and 64 bytes',
  )
})

test('an address is the last 20 bytes of the hash of the public key', () => {
  const generator =
    '0x0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
  expect(addressOfPublicKey(decodeData(generator))).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf')
})
