/** Keystores against their JSON file, which names its sources. */
import { encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { describe, expect, test } from 'vitest'
import { openKeystore } from '../../extension/src/wallet/keys/keystore.ts'
import keystores from './keystores.json' with { type: 'json' }

const quiet = () => {}

describe('opens', () => {
  test.each(keystores.valid)('$name', async ({ keystore, password, privateKey, address }) => {
    const key = await openKeystore(keystore, password, quiet)
    expect(privateKey ? encodeData(key) : addressOfPrivateKey(key)).toBe(privateKey ?? address)
  })
})

describe('refuses', () => {
  test.each(keystores.invalid)('$note', async ({ keystore, password, error }) => {
    await expect(openKeystore(keystore, password, quiet)).rejects.toThrow(error)
  })
})
