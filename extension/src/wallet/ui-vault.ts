/** The vault's part of the UI table: making it, opening it, closing it. */
import type { PhraseInput } from '../messages.ts'
import { ACCOUNTS_PATH, type Derivation, toAccountsPath } from './derivation.ts'
import { secretsOf } from './keyring-changes.ts'
import { checkPhrase, newPhrase, toPhrase, type WordLists } from './phrase.ts'
import { siteAccounts } from './sites.ts'
import type { Ui, UiParts } from './ui-parts.ts'

/** A phrase as it was typed, checked. A passphrase is taken as it is: every one is right, and makes other accounts. */
export const toDerivation = async (
  { phrase, passphrase = '', path = ACCOUNTS_PATH }: PhraseInput,
  wordLists: WordLists,
): Promise<Derivation> => ({ phrase: await toPhrase(phrase, wordLists), passphrase, path: toAccountsPath(path) })

export const createVaultUi = (
  parts: UiParts,
): Pick<
  Ui,
  'newPhrase' | 'checkPhrase' | 'createVault' | 'unlock' | 'lock' | 'changePassword' | 'restoreVault' | 'setAutoLock'
> => {
  const { vault, sites, tasks, autoLock, wordLists, announce, publish } = parts

  const announceAccounts = async () => {
    const unlocked = (await vault.phase()) === 'unlocked'
    for (const site of await sites.list())
      announce({ origin: site.origin, event: 'accountsChanged', data: unlocked ? siteAccounts(site) : [] })
  }

  return {
    newPhrase: async ({ words }) => newPhrase(words),
    checkPhrase: ({ phrase }) => checkPhrase(phrase, wordLists),
    createVault: async ({ password, ...input }) => {
      await vault.create(password, secretsOf(await toDerivation(input, wordLists)))
      await publish()
      return null
    },
    unlock: async ({ password }) => {
      await vault.unlock(password)
      await announceAccounts()
      await publish()
      return null
    },
    lock: async () => {
      if ((await vault.phase()) !== 'unlocked') return null
      // What is at work holds a key or a password, and nobody is there to see how it ends.
      tasks.cancel()
      await vault.lock()
      await announceAccounts()
      await publish()
      return null
    },
    changePassword: async ({ password, newPassword }) => {
      await vault.changePassword(password, newPassword)
      return null
    },
    restoreVault: async ({ password }) => {
      await vault.restore(password)
      await announceAccounts()
      await publish()
      return null
    },
    setAutoLock: async ({ minutes }) => {
      await autoLock.setMinutes(minutes)
      await publish()
      return null
    },
  }
}
