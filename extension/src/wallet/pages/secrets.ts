/** UI methods that return secrets. Each call requires the password. */
import { encodeData } from '@heliograph/shared/evm/hex'
import { findPhrase, findSigner, withKeyOf } from '../keys/keyring.ts'
import { keystoreName, makeKeystore } from '../keys/keystore.ts'
import { assertPassword } from '../keys/password.ts'
import type { Ui, UiParts } from './parts.ts'

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
