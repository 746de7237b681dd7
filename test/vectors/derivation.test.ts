/** Derivation, tested with a JSON file that names its sources: the vectors of BIP-32, and accounts of phrases. */
import { encodeData } from '@heliograph/shared/evm/hex'
import { hexToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { describe, expect, test } from 'vitest'
import { addressesAt, keyAt } from '../../extension/src/wallet/keys/derivation.ts'
import derivation from './derivation.json' with { type: 'json' }

describe('the tree of BIP-32, as the wallet derives from it', () => {
  test.each(derivation.valid)('$name', ({ seed, path, xpub, xprv }) => {
    const node = HDKey.fromMasterSeed(hexToBytes(seed)).derive(path)
    expect(node.privateExtendedKey).toBe(xprv)
    expect(node.publicExtendedKey).toBe(xpub)
    expect(HDKey.fromExtendedKey(xprv).publicExtendedKey).toBe(xpub)
  })

  test.each(derivation.invalid)('refuses: $note', ({ key }) => {
    expect(() => HDKey.fromExtendedKey(key)).toThrow()
  })
})

test.each(derivation.accounts)('account: $name', async ({ phrase, path, index, address, privateKey }) => {
  const from = { phrase, passphrase: '', path }
  expect(await addressesAt(from, index, 1)).toEqual([address])
  expect(encodeData(await keyAt(from, index))).toBe(privateKey)
})
