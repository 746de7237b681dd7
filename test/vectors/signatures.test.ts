/** Addresses, signatures, signed messages and authorizations against their JSON files, which name their sources. */
import { toAddress } from '@heliograph/shared/evm/address'
import {
  type Authorization,
  hashAuthorization,
  recoverAuthority,
  signAuthorization,
} from '@heliograph/shared/evm/authorization'
import { fromBytes, toBytes, toQuantity } from '@heliograph/shared/evm/hex'
import { hashMessage, recoverMessage, signMessage } from '@heliograph/shared/evm/message'
import {
  addressOfKey,
  parseSignature,
  recoverAddress,
  serializeSignature,
  sign,
} from '@heliograph/shared/evm/signature'
import { describe, expect, test } from 'vitest'
import addresses from './addresses.json' with { type: 'json' }
import authorizations from './authorizations.json' with { type: 'json' }
import messages from './messages.json' with { type: 'json' }
import signatures from './signatures.json' with { type: 'json' }

describe('addresses', () => {
  test.each(addresses.valid)('$address in any case', ({ address }) => {
    const digits = address.slice(2)
    for (const spelling of [digits, digits.toLowerCase(), digits.toUpperCase()])
      expect(toAddress(`0x${spelling}`)).toBe(address)
  })

  test.each(addresses.accounts)('the account of the key of $name', ({ privateKey, address }) => {
    expect(addressOfKey(toBytes(privateKey))).toBe(address)
  })

  test.each(addresses.invalid)('refuses: $note', ({ address, error }) => {
    expect(() => toAddress(address)).toThrow(expect.objectContaining({ message: error }))
  })
})

describe('signatures', () => {
  test.each(signatures.valid)('of: $note', ({ hash, privateKey, signature }) => {
    const key = toBytes(privateKey)
    expect(serializeSignature(sign(toBytes(hash), key))).toBe(signature)
    expect(recoverAddress(toBytes(hash), parseSignature(signature))).toBe(addressOfKey(key))
  })

  test.each(signatures.invalid)('refuses: $note', ({ signature, error }) => {
    expect(() => parseSignature(signature)).toThrow(expect.objectContaining({ message: error }))
  })
})

describe('signed messages', () => {
  test.each(messages.valid)('$name', ({ network, message, privateKey, signature, address }) => {
    expect(signMessage(toBytes(message), network, toBytes(privateKey))).toBe(signature)
    expect(recoverMessage(toBytes(message), network, signature)).toBe(toAddress(address))
  })

  test.each(messages.hashes)('the hash of $name', ({ network, message, hash }) => {
    expect(fromBytes(hashMessage(toBytes(message), network))).toBe(hash)
  })
})

test.each(authorizations.valid)('authorization of $name', ({ authorization, privateKey, hash, signature }) => {
  const value: Authorization = {
    chainId: toQuantity(authorization.chainId),
    address: toAddress(authorization.address),
    nonce: toQuantity(authorization.nonce),
  }
  const signed = signAuthorization(value, toBytes(privateKey))
  expect(fromBytes(hashAuthorization(value))).toBe(hash)
  expect(serializeSignature(signed)).toBe(signature)
  expect(recoverAuthority(signed)).toBe(addressOfKey(toBytes(privateKey)))
})
