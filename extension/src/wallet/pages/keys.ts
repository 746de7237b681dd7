/** UI methods that describe keys before an import, reveal keys, and export a key as a keystore file. */
import { toAddress } from '@heliograph/shared/evm/address'
import { encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { addressesAt } from '../keys/derivation.ts'
import { toDerivation, toPrivateKey } from '../keys/key-input.ts'
import { findPhrase, findSigner, withKeyOf } from '../keys/keyring.ts'
import { keystoreName, makeKeystore, openKeystore } from '../keys/keystore.ts'
import { parseKeystore } from '../keys/keystore-file.ts'
import { assertPassword } from '../keys/password.ts'
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

/** UI methods that describe keys before they are imported, so the user can check them. */
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

/** UI methods that return secrets. Each call requires the password. */
export const createSecretsUi = ({
  vault,
  commonPasswords,
  tasks,
  keystoreCost,
  now,
}: UiParts): Pick<Ui, 'revealPhrase' | 'revealPrivateKey' | 'exportKeystore'> => ({
  revealPhrase: async ({ phraseId, password }) => {
    const { phrase, passphrase } = findPhrase(await vault.confirm(password), phraseId)
    return { phrase, passphrase }
  },
  revealPrivateKey: async ({ address, password }) => withKeyOf(await vault.confirm(password), address, encodeData),
  exportKeystore: async ({ address, password, keystorePassword }) => {
    await assertPassword(keystorePassword, commonPasswords)
    const secrets = await vault.confirm(password)
    const account = findSigner(secrets, address)
    const keystore = await tasks.run('exportKeystore', progress =>
      withKeyOf(secrets, address, key => makeKeystore(key, keystorePassword, keystoreCost, progress)),
    )
    return { fileName: keystoreName(account.address, now()), keystore }
  },
})
