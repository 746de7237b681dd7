/** Addresses, signatures, signed messages and authorizations, tested with JSON files that name their sources. */
import { toAddress } from '@heliograph/shared/evm/address'
import {
  type Authorization,
  hashAuthorization,
  recoverAuthorization,
  signAuthorization,
} from '@heliograph/shared/evm/authorization'
import { decodeData, decodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { hashMessage, recoverMessage, signMessage } from '@heliograph/shared/evm/message'
import {
  addressOfPrivateKey,
  decodeSignature,
  encodeSignature,
  recoverAddress,
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
    expect(addressOfPrivateKey(decodeData(privateKey))).toBe(address)
  })

  test.each(addresses.invalid)('refuses: $note', ({ address, error }) => {
    expect(() => toAddress(address)).toThrow(expect.objectContaining({ message: error }))
  })
})

describe('signatures', () => {
  test.each(signatures.valid)('of: $note', ({ hash, privateKey, signature }) => {
    const key = decodeData(privateKey)
    expect(sign(hash as Hex, key)).toBe(signature)
    expect(recoverAddress(hash as Hex, signature)).toBe(addressOfPrivateKey(key))
  })

  test.each(signatures.invalid)('refuses: $note', ({ signature, error }) => {
    expect(() => decodeSignature(signature)).toThrow(expect.objectContaining({ message: error }))
  })
})

describe('signed messages', () => {
  test.each(messages.valid)('$name', ({ network, message, privateKey, signature, address }) => {
    expect(signMessage(decodeData(message), decodeData(privateKey), network)).toBe(signature)
    expect(recoverMessage(decodeData(message), signature, network)).toBe(toAddress(address))
  })

  test.each(messages.hashes)('the hash of $name', ({ network, message, hash }) => {
    expect(hashMessage(decodeData(message), network)).toBe(hash)
  })
})

test.each(authorizations.valid)('authorization of $name', ({ authorization, privateKey, hash, signature }) => {
  const value: Authorization = {
    chainId: decodeQuantity(authorization.chainId),
    address: toAddress(authorization.address),
    nonce: decodeQuantity(authorization.nonce),
  }
  const signed = signAuthorization(value, decodeData(privateKey))
  expect(hashAuthorization(value)).toBe(hash)
  expect(encodeSignature(signed)).toBe(signature)
  expect(recoverAuthorization(signed)).toBe(addressOfPrivateKey(decodeData(privateKey)))
})
