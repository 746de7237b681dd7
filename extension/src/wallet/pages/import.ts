/** UI methods that describe keys before they are imported, so the user can check them. */
import { toAddress } from '@heliograph/shared/evm/address'
import { encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { addressesAt } from '../keys/derivation.ts'
import { toDerivation, toPrivateKey } from '../keys/key-input.ts'
import { openKeystore } from '../keys/keystore.ts'
import { parseKeystore } from '../keys/keystore-file.ts'
import { rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

const addressOfText = (text: string) => {
  const key = toPrivateKey(text)
  try {
    return addressOfPrivateKey(key)
  } finally {
    key.fill(0)
  }
}

export const createImportUi = ({
  tasks,
  wordLists,
}: UiParts): Pick<Ui, 'addressOf' | 'describeKeystore' | 'openKeystore'> => ({
  addressOf: async input => {
    if ('privateKey' in input) return addressOfText(input.privateKey)
    const [first] = await addressesAt(await toDerivation(input, wordLists), 0, 1)
    if (first === undefined) throw rpcError('internal')
    return first
  },
  describeKeystore: async ({ keystore }) => {
    const { crypto, address } = parseKeystore(keystore)
    return {
      kdf: crypto.kdf,
      cost: crypto.kdf === 'scrypt' ? crypto.kdfparams.n : crypto.kdfparams.c,
      address: address === undefined ? null : toAddress(address),
    }
  },
  openKeystore: async ({ keystore, password }) => {
    const key = await tasks.run('importKeystore', progress => openKeystore(keystore, password, progress))
    try {
      return encodeData(key)
    } finally {
      key.fill(0)
    }
  },
})
