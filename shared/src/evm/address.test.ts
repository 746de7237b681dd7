import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOfPublicKey, sameAddress, toAddress } from './address.ts'
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
