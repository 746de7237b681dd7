import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Authorization, hashAuthorization, recoverAuthorization, signAuthorization } from './authorization.ts'
import { addressOfPrivateKey } from './signature.ts'

const key = new Uint8Array(32).fill(7)
const authorization: Authorization = { chainId: 1n, address: `0x${'35'.repeat(20)}`, nonce: 0n }

test('recoverAuthorization returns the signer of an authorization', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(0n, 2n ** 64n - 2n), (chainId, nonce) => {
      const signed = signAuthorization({ ...authorization, chainId, nonce }, key)
      expect(recoverAuthorization(signed)).toBe(addressOfPrivateKey(key))
    }),
  )
})

test('a changed authorization recovers a different authority', () => {
  const signed = signAuthorization(authorization, key)
  expect(recoverAuthorization({ ...signed, nonce: 1n })).not.toBe(addressOfPrivateKey(key))
})

test.each<[Partial<Authorization>, string]>([
  [{ nonce: 2n ** 64n - 1n }, 'authorization.nonce: 18446744073709551615 is not below 2^64 − 1'],
  [{ nonce: -1n }, 'authorization.nonce: -1 does not fit uint64'],
  [{ chainId: 2n ** 256n }, 'authorization.chainId: '],
  [{ address: '0x35' }, 'authorization.address: "0x35" has 1 bytes, not 20'],
])('%o is refused', (fields, error) => {
  expect(() => hashAuthorization({ ...authorization, ...fields })).toThrow(error)
})
