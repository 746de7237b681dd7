/** UI methods for the vault: create, unlock, lock, restore. */
import type { KeyInput } from '../../messages.ts'
import { toAccountName, toDerivation, toPrivateKey } from '../keys/key-input.ts'
import { FIRST_NAME, NO_SECRETS, secretsOf, withPrivateKey } from '../keys/keyring-changes.ts'
import { assertPassword } from '../keys/password.ts'
import { checkPhrase, newPhrase, wordListFor } from '../keys/phrase.ts'
import { withSettingsKey } from '../keys/trusted-store.ts'
import type { Secrets } from '../keys/vault-file.ts'
import { siteAccounts } from '../sites/sites.ts'
import type { Ui, UiParts } from './parts.ts'
import { withProof } from './passkeys.ts'

export const createVaultUi = (
  parts: UiParts,
): Pick<
  Ui,
  | 'checkPassword'
  | 'newPhrase'
  | 'checkPhrase'
  | 'getWordList'
  | 'createVault'
  | 'removeWallet'
  | 'unlock'
  | 'unlockWithPasskey'
  | 'lock'
  | 'changePassword'
  | 'restoreVault'
  | 'dismissReset'
  | 'setAutoLock'
  | 'setSafety'
> => {
  const {
    vault,
    drafts,
    reset,
    opening,
    erase,
    forgetSettings,
    sites,
    tasks,
    autoLock,
    safety,
    wordLists,
    commonPasswords,
    requests,
    desk,
    acted,
    announce,
    disconnect,
  } = parts

  /** Sends connected sites their accounts, which were unknown before the unlock. Pages ignore repeated events. */
  const announceAccounts = async () => {
    for (const site of await sites.list())
      announce({ origin: site.origin, event: 'accountsChanged', data: siteAccounts(site) })
  }

  /** Unlocks the wallet, and continues everything that waited for it. */
  const enter = async (unlock: () => Promise<void>): Promise<null> => {
    await opening(unlock)
    await acted()
    await announceAccounts()
    return null
  }

  /** Returns a new wallet's secrets: a phrase with its first account, or a single key. */
  const secretsFrom = async (input: KeyInput, name: string): Promise<Secrets> => {
    if (!('privateKey' in input)) return secretsOf(await toDerivation(input, wordLists), name)
    const key = toPrivateKey(input.privateKey)
    try {
      return withPrivateKey(NO_SECRETS, key, name)
    } finally {
      key.fill(0)
    }
  }

  return {
    checkPassword: async ({ password }) => {
      await assertPassword(password, commonPasswords)
      return null
    },
    newPhrase: ({ words }) => newPhrase(words, wordLists),
    checkPhrase: ({ phrase }) => checkPhrase(phrase, wordLists),
    getWordList: ({ phrase }) => wordListFor(phrase, wordLists),
    createVault: async ({ password, name = FIRST_NAME, ...input }) => {
      await vault.create(password, withSettingsKey(await secretsFrom(input, toAccountName(name))))
      await forgetSettings()
      return null
    },
    unlock: ({ password }) => enter(() => vault.unlock(password)),
    unlockWithPasskey: given => enter(() => withProof(given, vault.unlockWithPasskey)),
    lock: async () => {
      if ((await vault.phase()) !== 'unlocked') return null
      // A running task holds a key or a password, and the user can no longer see its result.
      tasks.cancel()
      await vault.lock()
      await drafts.clear()
      return null
    },
    changePassword: async ({ password, newPassword }) => {
      await vault.changePassword(password, newPassword)
      return null
    },
    removeWallet: async ({ password }) => {
      const connected = await sites.list()
      await vault.erase(password)
      tasks.cancel()
      for (const { key } of await requests.open()) await desk.end(key)
      for (const { origin } of connected) await disconnect(origin)
      await erase()
      return null
    },
    restoreVault: async ({ password }) => {
      await opening(() => vault.restore(password))
      await announceAccounts()
      return null
    },
    dismissReset: async () => {
      await reset.update(() => [])
      return null
    },
    setAutoLock: async ({ minutes }) => {
      await autoLock.setMinutes(minutes)
      return null
    },
    setSafety: async change => {
      await safety.change(change)
      return null
    },
  }
}
