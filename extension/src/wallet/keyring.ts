/** Accounts and their keys: BIP-39 phrases, BIP-32 derivation on the BIP-44 path of Ethereum, m/44'/60'/0'/0/n. */

import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { addressOfKey } from '@heliograph/shared/evm/signature'
import { randomBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** An account of a phrase: its place on the path and the address found there. */
export type Account = { name: string; address: Address; index: number }

/** What the vault keeps. A list of keyrings, so that other kinds of keys can stand beside phrases. */
export type Keyring = { kind: 'phrase'; phrase: string; accounts: readonly Account[] }
export type Secrets = { version: 1; keyrings: readonly Keyring[] }

const ACCOUNTS_PATH = "m/44'/60'/0'/0"
const ENTROPY_BYTES = { 12: 16, 24: 32 } as const
const FIRST_NAME = 'Account 1'

const knownWords = new Set(wordlist)

/** Lower case, single spaces, Unicode NFKD: what BIP-39 derives from. */
export const normalizePhrase = (phrase: string): string =>
  phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')

/** A new phrase straight from the system's randomness. */
export const newPhrase = (words: keyof typeof ENTROPY_BYTES): string =>
  entropyToMnemonic(randomBytes(ENTROPY_BYTES[words]), wordlist)

/** Whether a phrase is one, and the places, from 0, of words that are in no phrase. */
export const checkPhrase = (phrase: string): { valid: boolean; unknownWords: number[] } => {
  const words = normalizePhrase(phrase).split(' ')
  const unknownWords = words.flatMap((word, place) => (knownWords.has(word) ? [] : [place]))
  return { valid: validateMnemonic(words.join(' '), wordlist), unknownWords }
}

const keyAt = (phrase: string, index: number): Uint8Array => {
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(phrase)).derive(`${ACCOUNTS_PATH}/${index}`).privateKey
  if (!key) throw new Error(`no key at ${ACCOUNTS_PATH}/${index}`)
  return key
}

const accountAt = (phrase: string, index: number, name: string): Account => ({
  name,
  address: addressOfKey(keyAt(phrase, index)),
  index,
})

/** The secrets of a wallet with one phrase and its first account. Throws -32602 for what is no phrase. */
export const secretsOf = (phrase: string): Secrets => {
  const normal = normalizePhrase(phrase)
  if (!checkPhrase(normal).valid)
    throw rpcError('invalidParams', 'That is not a recovery phrase: check the words and their order')
  return { version: 1, keyrings: [{ kind: 'phrase', phrase: normal, accounts: [accountAt(normal, 0, FIRST_NAME)] }] }
}

/** All accounts, in the order in which they were made. */
export const accountsOf = (secrets: Secrets): Account[] => secrets.keyrings.flatMap(keyring => keyring.accounts)

/** The secrets with one more account of the first phrase. */
export const withNextAccount = (secrets: Secrets, name: string): Secrets => {
  const [first, ...others] = secrets.keyrings
  if (!first) throw new Error('a wallet has at least one keyring')
  const index = first.accounts.length
  const account = accountAt(first.phrase, index, name)
  return { ...secrets, keyrings: [{ ...first, accounts: [...first.accounts, account] }, ...others] }
}

/** The private key of an account, 32 bytes. Throws 4100 when the wallet does not hold it. */
export const privateKeyOf = (secrets: Secrets, address: Address): Uint8Array => {
  for (const { phrase, accounts } of secrets.keyrings) {
    const account = accounts.find(candidate => sameAddress(candidate.address, address))
    if (account) return keyAt(phrase, account.index)
  }
  throw rpcError('unauthorized', `The wallet has no account ${address}`)
}
