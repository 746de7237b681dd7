/** Keystores, tested with a JSON file that names its sources. */
import { encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { describe, expect, test } from 'vitest'
import { openKeystore } from '../../extension/src/wallet/keys/keystore.ts'
import { isComplete } from '../support/suite.ts'
import keystores from './keystores.json' with { type: 'json' }

const quiet = () => {}

/** Keystores that only the complete run opens. Their derivation takes seconds; one in the gate has the same cost. */
const COSTLY = ['ethers, wallet_keystore_passwd', 'ethers, wallet_random1', 'ethers, wallet_random2']

describe('opens', () => {
  test.each(keystores.valid.filter(({ name }) => COSTLY.includes(name) === isComplete))(
    '$name',
    async ({ keystore, password, privateKey, address }) => {
      const key = await openKeystore(keystore, password, quiet)
      expect(privateKey ? encodeData(key) : addressOfPrivateKey(key)).toBe(privateKey ?? address)
    },
  )
})

if (!isComplete)
  describe('refuses', () => {
    test.each(keystores.invalid)('$note', async ({ keystore, password, error }) => {
      await expect(openKeystore(keystore, password, quiet)).rejects.toThrow(error)
    })
  })
