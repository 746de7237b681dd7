/** Changes to phrases and accounts. Each returns new secrets, or throws and leaves the old ones unchanged. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { rpcError } from '../text/errors.ts'
import { addressesAt, addressesOf, type Derivation } from './derivation.ts'
import { accountsOf, findAccount, findPhrase } from './keyring.ts'
import type { Account, Secrets } from './vault-file.ts'

/**
 * Maximum number of accounts. The state contains all of them, and is small enough with this number to push to a page on
 * every change.
 */
export const MAX_ACCOUNTS = 1000

/** Default name of the first account. */
export const FIRST_NAME = 'Account 1'
const PHRASE_ID_BYTES = 8

/** The secrets of a wallet before its first account. */
export const NO_SECRETS: Secrets = { version: 2, phrases: [], accounts: [] }

/** Returns the default name for the next account. */
export const nextName = ({ accounts }: Secrets): string => {
  const taken = new Set(accounts.map(({ name }) => name))
  let number = accounts.length + 1
  while (taken.has(`Account ${number}`)) number++
  return `Account ${number}`
}

/**
 * True if `added` may replace an account with the same address: any key replaces a watch-only account, and a phrase
 * replaces an imported private key.
 */
const supersedes = ({ source: added }: Account, { source: known }: Account): boolean =>
  added.kind !== 'watchOnly' && (known.kind === 'watchOnly' || (known.kind === 'privateKey' && added.kind === 'phrase'))

/**
 * Adds an account, or replaces the source of a known one, which becomes visible. Throws -32602 if the wallet already has
 * the account with as good a source, -32005 if there are too many.
 */
export const withAccount = (secrets: Secrets, added: Account): Secrets => {
  const { accounts } = secrets
  const known = accounts.find(({ address }) => sameAddress(address, added.address))
  if (known && !supersedes(added, known)) throw rpcError('invalidParams', 'accountExists')
  if (known) {
    const account = { ...known, hidden: false, source: added.source }
    return { ...secrets, accounts: accounts.map(other => (other === known ? account : other)) }
  }
  if (accounts.length >= MAX_ACCOUNTS) throw rpcError('limitExceeded', 'tooManyAccounts', { limit: MAX_ACCOUNTS })
  return { ...secrets, accounts: [...accounts, added] }
}

const indexesOf = (secrets: Secrets, phraseId: string): number[] =>
  secrets.accounts.flatMap(({ source }) =>
    source.kind === 'phrase' && source.phraseId === phraseId ? [source.index] : [],
  )

/** Index and address of an account derived from a phrase. */
export type IndexedAddress = { index: number; address: Address }

const withIndex = (secrets: Secrets, phraseId: string, { index, address }: IndexedAddress, name: string): Secrets =>
  withAccount(secrets, { name, address, hidden: false, source: { kind: 'phrase', phraseId, index } })

const withAccountAt = async (secrets: Secrets, phraseId: string, index: number, name: string): Promise<Secrets> => {
  const [address] = await addressesAt(findPhrase(secrets, phraseId), index, 1)
  if (address === undefined) throw new Error('No address was derived')
  return withIndex(secrets, phraseId, { index, address }, name)
}

/**
 * Adds the phrase's account with the lowest index that the wallet does not have. Throws -32602 if the phrase is
 * unknown.
 */
export const withNextAccount = (secrets: Secrets, phraseId: string, name: string): Promise<Secrets> => {
  const taken = new Set(indexesOf(secrets, phraseId))
  let index = 0
  while (taken.has(index)) index++
  return withAccountAt(secrets, phraseId, index, name)
}

/** Adds discovered accounts of a phrase. Existing accounts stay unchanged. */
export const withPlaces = (secrets: Secrets, phraseId: string, places: readonly IndexedAddress[]): Secrets => {
  const taken = new Set(indexesOf(secrets, phraseId))
  return places
    .filter(({ index }) => !taken.has(index))
    .reduce((changed, place) => withIndex(changed, phraseId, place, nextName(changed)), secrets)
}

/**
 * Derives a phrase's accounts at these indexes, and tells for each whether the wallet has it. Throws -32602 if the
 * phrase is unknown.
 */
export const placesOf = async (
  secrets: Secrets,
  phraseId: string,
  indexes: readonly number[],
): Promise<(IndexedAddress & { isAdded: boolean })[]> => {
  const taken = new Set(indexesOf(secrets, phraseId))
  const addresses = await addressesOf(findPhrase(secrets, phraseId), indexes)
  return addresses.map((address, at) => {
    const index = indexes[at] ?? 0
    return { index, address, isAdded: taken.has(index) }
  })
}

/** Adds a phrase without an account, as the last one. Throws -32602 if the wallet already has the phrase. */
export const withBarePhrase = (secrets: Secrets, { phrase, passphrase, path }: Derivation): Secrets => {
  if (secrets.phrases.some(one => one.phrase === phrase && one.passphrase === passphrase && one.path === path))
    throw rpcError('invalidParams', 'phraseExists')
  const id = bytesToHex(randomBytes(PHRASE_ID_BYTES))
  return { ...secrets, phrases: [...secrets.phrases, { id, phrase, passphrase, path }] }
}

/** Adds a phrase and its first account. Throws -32602 if the wallet already has the phrase. */
export const withPhrase = async (secrets: Secrets, derivation: Derivation, name: string): Promise<Secrets> => {
  const changed = withBarePhrase(secrets, derivation)
  return withAccountAt(changed, changed.phrases.at(-1)?.id ?? '', 0, name)
}

/** Returns the secrets of a new wallet: one phrase and its first account. */
export const secretsOf = (derivation: Derivation, name = FIRST_NAME): Promise<Secrets> =>
  withPhrase(NO_SECRETS, derivation, name)

/**
 * Adds the account of a private key (32 bytes). Throws -32602 if the wallet already has the account, ValueError if the
 * key is invalid.
 */
export const withPrivateKey = (secrets: Secrets, key: Uint8Array, name: string): Secrets =>
  withAccount(secrets, {
    name,
    address: addressOfPrivateKey(key),
    hidden: false,
    source: { kind: 'privateKey', privateKey: encodeData(key) },
  })

/** Adds a watch-only account, without its key. Throws -32602 if the wallet already has it. */
export const withWatchOnly = (secrets: Secrets, address: Address, name: string): Secrets =>
  withAccount(secrets, { name, address, hidden: false, source: { kind: 'watchOnly' } })

const changed = (secrets: Secrets, address: string, change: Partial<Account>): Secrets => {
  const account = findAccount(secrets, address)
  return {
    ...secrets,
    accounts: secrets.accounts.map(other => (other === account ? { ...account, ...change } : other)),
  }
}

/** Throws -32602 if no account is visible: pages need a selected account. */
const assertOneShown = (secrets: Secrets): Secrets => {
  if (accountsOf(secrets).length === 0) throw rpcError('invalidParams', 'lastAccount')
  return secrets
}

export const withName = (secrets: Secrets, address: string, name: string): Secrets =>
  changed(secrets, address, { name })

/** Hides an account. Throws -32602 if it is the last visible one. */
export const withHidden = (secrets: Secrets, address: string): Secrets =>
  assertOneShown(changed(secrets, address, { hidden: true }))

export const withShown = (secrets: Secrets, address: string): Secrets => changed(secrets, address, { hidden: false })

/**
 * Moves a visible account to the place `to`, from 0, among the visible ones. Hidden accounts keep their places. Throws
 * 4100 if the wallet does not have the account, -32602 if it is hidden or there is no such place.
 */
export const withMoved = (secrets: Secrets, address: string, to: number): Secrets => {
  const account = findAccount(secrets, address)
  const shown = accountsOf(secrets)
  if (account.hidden || !(Number.isInteger(to) && to >= 0 && to < shown.length))
    throw rpcError('invalidParams', 'notOffered', { value: String(to) })
  const ordered = shown.filter(other => other !== account).toSpliced(to, 0, account)
  let at = 0
  return { ...secrets, accounts: secrets.accounts.map(other => (other.hidden ? other : (ordered[at++] ?? other))) }
}

/**
 * Removes an account. Throws -32602 if it is the last visible one. A phrase's account can be derived again, but an
 * imported key is lost.
 */
export const withoutAccount = (secrets: Secrets, address: string): Secrets => {
  const account = findAccount(secrets, address)
  return assertOneShown({ ...secrets, accounts: secrets.accounts.filter(other => other !== account) })
}

/** Removes a phrase and its accounts. Throws -32602 if no other account is visible. */
export const withoutPhrase = (secrets: Secrets, id: string): Secrets => {
  const phrase = findPhrase(secrets, id)
  return assertOneShown({
    ...secrets,
    phrases: secrets.phrases.filter(other => other !== phrase),
    accounts: secrets.accounts.filter(({ source }) => source.kind !== 'phrase' || source.phraseId !== id),
  })
}
