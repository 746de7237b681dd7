/** UI methods for accounts: add, import, rename, hide, remove. */
import { toAddress } from '@heliograph/shared/evm/address'
import { discover, findUsed } from '../keys/discovery.ts'
import { toAccountName, toDerivation, toPrivateKey } from '../keys/key-input.ts'
import { accountsOf, findPhrase } from '../keys/keyring.ts'
import {
  placesOf,
  withHidden,
  withMoved,
  withName,
  withNextAccount,
  withoutAccount,
  withoutPhrase,
  withPhrase,
  withPlaces,
  withPrivateKey,
  withShown,
  withWatchOnly,
} from '../keys/keyring-changes.ts'
import { openKeystore } from '../keys/keystore.ts'
import type { Account, Secrets } from '../keys/vault-file.ts'
import { siteAccounts } from '../sites/sites.ts'
import { rpcError } from '../text/errors.ts'
import { readGivenAddress } from './given-address.ts'
import type { Ui, UiParts } from './parts.ts'
import { accountView, selectedOf } from './state.ts'

const firstPhrase = ({ phrases: [first] }: Secrets): string => {
  if (!first) throw rpcError('invalidParams', 'noPhrase')
  return first.id
}

/** Maximum number of accounts that are listed, queried or added at once. */
const MAX_AT_ONCE = 100

/** Throws -32005 if there are more than MAX_AT_ONCE. */
const assertFew = (count: number) => {
  if (!(count <= MAX_AT_ONCE)) throw rpcError('limitExceeded', 'tooManyAtOnce', { limit: MAX_AT_ONCE })
}

type AccountMethod =
  | 'addAccount'
  | 'discoverAccounts'
  | 'getPhraseAccounts'
  | 'readUsed'
  | 'addAccounts'
  | 'importPhrase'
  | 'importPrivateKey'
  | 'importKeystore'
  | 'addWatchOnly'
  | 'renameAccount'
  | 'hideAccount'
  | 'showAccount'
  | 'moveAccount'
  | 'removeAccount'
  | 'removePhrase'
  | 'selectAccount'

export const createAccountsUi = (parts: UiParts): Pick<Ui, AccountMethod> => {
  const { vault, sites, networks, selectedAccount, tasks, chain, wordLists, announce } = parts

  /** Adds accounts, or adds keys to watched accounts. Resolves with the new accounts. */
  const add = async (change: (secrets: Secrets) => Secrets | Promise<Secrets>): Promise<Account[]> => {
    let added: Account[] = []
    await vault.update(async secrets => {
      const changed = await change(secrets)
      added = changed.accounts.filter(account => !secrets.accounts.includes(account))
      return changed
    })
    return added
  }

  const addOne = async (change: (secrets: Secrets) => Secrets | Promise<Secrets>) => {
    const [account] = await add(change)
    if (!account) throw rpcError('internal')
    await selectedAccount.update(() => account.address)
    return accountView(account)
  }

  const addKey = async (key: Uint8Array, name: string) => {
    try {
      return await addOne(secrets => withPrivateKey(secrets, key, name))
    } finally {
      key.fill(0)
    }
  }

  const change = async (make: (secrets: Secrets) => Secrets) => {
    await vault.update(make)
    return null
  }

  /** Hides or removes accounts, and removes them from all sites. */
  const withdraw = async (secrets: Secrets, make: (secrets: Secrets) => Secrets) => {
    const left = new Set(accountsOf(make(secrets)).map(({ address }) => address))
    const gone = accountsOf(secrets).map(({ address }) => address)
    for (const site of await sites.forget(gone.filter(address => !left.has(address))))
      announce({ origin: site.origin, event: 'accountsChanged', data: siteAccounts(site) })
    return change(make)
  }

  return {
    addAccount: async ({ name: text, phraseId }) => {
      const name = toAccountName(text)
      return addOne(secrets => withNextAccount(secrets, phraseId ?? firstPhrase(secrets), name))
    },
    discoverAccounts: async ({ phraseId }) => {
      const phrase = findPhrase(await vault.read(), phraseId)
      const network = await networks.selected()
      const places = await tasks.run('discoverAccounts', progress => discover({ chain, network }, phrase, progress))
      const added = await add(secrets => withPlaces(secrets, phraseId, places))
      return added.map(accountView)
    },
    getPhraseAccounts: async ({ phraseId, from, count }) => {
      assertFew(count)
      const secrets = await vault.read()
      const { path } = findPhrase(secrets, phraseId)
      const indexes = Array.from({ length: count }, (_, at) => from + at)
      const places = await placesOf(secrets, phraseId, indexes)
      return places.map(place => ({ ...place, path: `${path}/${place.index}` }))
    },
    readUsed: async ({ addresses }) => {
      assertFew(addresses.length)
      return findUsed(
        chain,
        await networks.selected(),
        addresses.map(address => toAddress(address)),
      )
    },
    addAccounts: async ({ phraseId, indexes }) => {
      assertFew(indexes.length)
      const added = await add(async secrets =>
        withPlaces(secrets, phraseId, await placesOf(secrets, phraseId, indexes)),
      )
      return added.map(accountView)
    },
    importPhrase: async ({ name: text, ...input }) => {
      const name = toAccountName(text)
      const derivation = await toDerivation(input, wordLists)
      return addOne(secrets => withPhrase(secrets, derivation, name))
    },
    importPrivateKey: async ({ privateKey, name: text }) => {
      const name = toAccountName(text)
      return addKey(toPrivateKey(privateKey), name)
    },
    importKeystore: async ({ keystore, password, name: text }) => {
      const name = toAccountName(text)
      // Throws while the wallet is locked, before the slow decryption, because a locked wallet could not store the key.
      await vault.read()
      const key = await tasks.run('importKeystore', progress => openKeystore(keystore, password, progress))
      return addKey(key, name)
    },
    addWatchOnly: async ({ address, name }) => {
      const watched = toAddress((await readGivenAddress(parts, address, null)).address)
      const named = toAccountName(name)
      return addOne(secrets => withWatchOnly(secrets, watched, named))
    },
    renameAccount: async ({ address, name }) => {
      const named = toAccountName(name)
      return change(secrets => withName(secrets, address, named))
    },
    hideAccount: async ({ address }) => withdraw(await vault.read(), secrets => withHidden(secrets, address)),
    showAccount: ({ address }) => change(secrets => withShown(secrets, address)),
    moveAccount: async ({ address, to }) => {
      // While no account was chosen, the first one counts as selected. It stays selected when the order changes.
      const selected = selectedOf(accountsOf(await vault.read()), await selectedAccount.read())
      await selectedAccount.update(() => selected)
      return change(secrets => withMoved(secrets, address, to))
    },
    removeAccount: async ({ address, password }) =>
      withdraw(await vault.confirm(password), secrets => withoutAccount(secrets, address)),
    removePhrase: async ({ phraseId, password }) =>
      withdraw(await vault.confirm(password), secrets => withoutPhrase(secrets, phraseId)),
    selectAccount: async ({ address }) => {
      const chosen = toAddress(address)
      await selectedAccount.update(() => chosen)
      return null
    },
  }
}
