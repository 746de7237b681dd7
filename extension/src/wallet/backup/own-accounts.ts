/** Sections of the vault: accounts, and the phrases and private keys that a backup has only if the user asked for them. */
import { RpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import * as v from 'valibot'
import type { AccountItem } from '../../messages.ts'
import { addressesAt, addressesOf, toAccountsPath } from '../keys/derivation.ts'
import { toDerivation, toPrivateKey } from '../keys/key-input.ts'
import {
  MAX_ACCOUNTS,
  nextName,
  withAccount,
  withBarePhrase,
  withHidden,
  withName,
  withPrivateKey,
} from '../keys/keyring-changes.ts'
import type { KeySource, Phrase, Secrets } from '../keys/vault-file.ts'
import { MAX_CONTACT_NAME, toContactName } from '../review/contacts.ts'
import { rpcError } from '../text/errors.ts'
import { namedReview } from './named.ts'
import { type Held, lower, plain, type Section } from './section.ts'
import { address, flag } from './values.ts'

/** Maximum characters of a phrase, of a passphrase and of a path. */
const MAX_SECRET = 1_000
const MAX_INDEX = 0x7fff_ffff

const secretText = v.pipe(v.string(), v.maxLength(MAX_SECRET))

const phraseId = ({ path, first }: { path: string; first: string }): string => `${path} ${lower(first)}`

const firstOf = async (phrase: Omit<Phrase, 'id'>): Promise<Address> => {
  const [first] = await addressesAt(phrase, 0, 1)
  if (first === undefined) throw new Error('No address was derived')
  return first
}

/** Returns the wallet's phrases by their ids in a backup. */
const phrasesOf = async ({ phrases }: Secrets): Promise<ReadonlyMap<string, Phrase>> => {
  const pairs = await Promise.all(
    phrases.map(async phrase => [phraseId({ path: phrase.path, first: await firstOf(phrase) }), phrase] as const),
  )
  return new Map(pairs)
}

export const phrases: Section<'phrases'> = {
  name: 'phrases',
  schema: v.object({ phrase: secretText, passphrase: v.nullish(secretText, ''), path: secretText, first: address }),
  idOf: phraseId,
  read: async ({ vault }) => {
    const secrets = await vault.read()
    return Promise.all(
      secrets.phrases.map(async ({ phrase, passphrase, path }) => ({
        ...{ phrase, passphrase, path },
        first: await firstOf({ phrase, passphrase, path }),
      })),
    )
  },
  compare: () => 'same',
  fitting:
    ({ parts }) =>
    async ({ first, ...input }) => {
      const derivation = await toDerivation({ ...input, path: toAccountsPath(input.path) }, parts.wordLists)
      if (!sameAddress(await firstOf(derivation), first)) throw rpcError('invalidParams', 'backupOtherKey')
      return plain({ ...derivation, first })
    },
  write: async ({ parts }, items) => {
    await parts.vault.update(secrets => items.reduce(withBarePhrase, secrets))
  },
}

/** True if an account that the wallet only watches can be derived from a phrase that it has. */
const isUpgrade = ({ address: own, from }: AccountItem, known: AccountItem, { phrases, privateKeys }: Held): boolean =>
  from !== null && phrases.has(from.phrase) && known.from === null && !privateKeys.has(lower(own))

/** Returns the name as it may be stored. An unreadable name is replaced by the short form of the address. */
const nameFor = ({ address: own, name }: AccountItem): string => {
  try {
    return toContactName(name)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return `${own.slice(0, 6)}…${own.slice(-4)}`
  }
}

/** Derives the items' accounts, and returns the sources by address. A phrase is stretched once for all of its accounts. */
const sourcesOf = async (secrets: Secrets, items: readonly AccountItem[]): Promise<ReadonlyMap<string, KeySource>> => {
  const sources = new Map<string, KeySource>()
  for (const [id, phrase] of await phrasesOf(secrets)) {
    const indexes = items.flatMap(({ from }) => (from?.phrase === id ? [from.index] : []))
    const derived = await addressesOf(phrase, indexes)
    for (const [at, index] of indexes.entries())
      sources.set(lower(derived[at] ?? ''), { kind: 'phrase', phraseId: phrase.id, index })
  }
  return sources
}

const withItem =
  (sources: ReadonlyMap<string, KeySource>) =>
  (secrets: Secrets, { address: own, name, hidden }: AccountItem): Secrets => {
    const source = sources.get(lower(own)) ?? { kind: 'watchOnly' }
    const known = secrets.accounts.find(account => sameAddress(account.address, own))
    if (!known) return withAccount(secrets, { name, address: own as Address, hidden, source })
    const isKept = known.source.kind !== 'watchOnly' || source.kind === 'watchOnly'
    const changed = isKept ? secrets : withAccount(secrets, { ...known, source })
    const named = withName(changed, own, name)
    return known.hidden ? withHidden(named, own) : named
  }

export const accounts: Section<'accounts'> = {
  name: 'accounts',
  schema: v.object({
    address,
    name: v.fallback(v.pipe(v.string(), v.maxLength(MAX_CONTACT_NAME)), ''),
    hidden: flag,
    from: v.fallback(
      v.nullish(
        v.object({ phrase: v.string(), index: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_INDEX)) }),
        null,
      ),
      null,
    ),
  }),
  idOf: item => lower(item.address),
  read: async ({ vault }) => {
    const secrets = await vault.read()
    const ids = new Map([...(await phrasesOf(secrets))].map(([id, phrase]) => [phrase.id, id]))
    return secrets.accounts.map(({ address: own, name, hidden, source }) => {
      const phrase = source.kind === 'phrase' ? ids.get(source.phraseId) : undefined
      const from = source.kind === 'phrase' && phrase !== undefined ? { phrase, index: source.index } : null
      return { address: own, name, hidden, from }
    })
  },
  compare: (value, known, held) => {
    if (isUpgrade(value, known, held)) return 'new'
    return value.name === known.name ? 'same' : 'differs'
  },
  fitting: ({ held }) => {
    const review = namedReview(held)
    return given => {
      const id = lower(given.address)
      const known = held.accounts.get(id)
      if (!known && held.accounts.size >= MAX_ACCOUNTS)
        throw rpcError('limitExceeded', 'tooManyAccounts', { limit: MAX_ACCOUNTS })
      const from = given.from && held.phrases.has(given.from.phrase) ? given.from : null
      const name = known && isUpgrade(given, known, held) ? known.name : nameFor(given)
      return { value: { ...given, name, from }, findings: known ? [] : review({ address: given.address, name }) }
    }
  },
  write: async ({ parts }, items) => {
    await parts.vault.update(async secrets => items.reduce(withItem(await sourcesOf(secrets, items)), secrets))
  },
}

/** A private key of the account that the item names. */
const isOfAddress = ({ address: own, privateKey }: { address: string; privateKey: string }): boolean => {
  try {
    const key = toPrivateKey(privateKey)
    const derived = addressOfPrivateKey(key)
    key.fill(0)
    return sameAddress(derived, own)
  } catch {
    return false
  }
}

const withKeyItem = (secrets: Secrets, { address: own, privateKey }: { address: string; privateKey: string }) => {
  const key = toPrivateKey(privateKey)
  try {
    const isHidden = secrets.accounts.some(account => account.hidden && sameAddress(account.address, own))
    const changed = withPrivateKey(secrets, key, nextName(secrets))
    return isHidden ? withHidden(changed, own) : changed
  } finally {
    key.fill(0)
  }
}

export const privateKeys: Section<'privateKeys'> = {
  name: 'privateKeys',
  schema: v.pipe(
    v.object({ address, privateKey: secretText }),
    v.check(item => isOfAddress(item)),
  ),
  idOf: item => lower(item.address),
  read: async ({ vault }) =>
    (await vault.read()).accounts.flatMap(({ address: own, source }) =>
      source.kind === 'privateKey' ? [{ address: own, privateKey: source.privateKey }] : [],
    ),
  compare: () => 'same',
  fitting:
    ({ held }) =>
    item => {
      const known = held.accounts.get(lower(item.address))
      if (known?.from) throw rpcError('invalidParams', 'accountExists')
      if (!known && held.accounts.size >= MAX_ACCOUNTS)
        throw rpcError('limitExceeded', 'tooManyAccounts', { limit: MAX_ACCOUNTS })
      return plain(item)
    },
  write: async ({ parts }, items) => {
    await parts.vault.update(secrets => items.reduce(withKeyItem, secrets))
  },
}
