/** Accounts and their keys: what the wallet holds, and who can sign. */
import { rpcError } from '@heliograph/shared/errors'
import { sameAddress } from '@heliograph/shared/evm/address'
import { toBytes } from '@heliograph/shared/evm/hex'
import { keyAt } from './derivation.ts'
import type { Account, KeySource, Phrase, Secrets } from './secrets.ts'

/** The accounts that are shown, in the order in which they came. */
export const accountsOf = (secrets: Secrets): Account[] => secrets.accounts.filter(({ hidden }) => !hidden)

/** An account, hidden or not. Throws 4100 when the wallet does not have it. */
export const findAccount = (secrets: Secrets, address: string): Account => {
  const account = secrets.accounts.find(candidate => sameAddress(candidate.address, address))
  if (!account) throw rpcError('unauthorized', `The wallet has no account ${address}`)
  return account
}

/** Throws -32602 when the wallet does not have it. */
export const findPhrase = (secrets: Secrets, id: string): Phrase => {
  const phrase = secrets.phrases.find(candidate => candidate.id === id)
  if (!phrase) throw rpcError('invalidParams', 'The wallet has no such phrase')
  return phrase
}

type Signer = Account & { source: Exclude<KeySource, { kind: 'watchOnly' }> }

const isSigner = (account: Account): account is Signer => account.source.kind !== 'watchOnly'

/** An account that can sign. Throws 4100 when the wallet does not have it, or only watches it. */
export const findSigner = (secrets: Secrets, address: string): Signer => {
  const account = findAccount(secrets, address)
  if (!isSigner(account))
    throw rpcError('unauthorized', `The account ${account.address} is watch-only: its key is not in this wallet`)
  return account
}

/** The private key of an account, 32 bytes, for the caller to wipe. Throws 4100 when the wallet does not hold it. */
export const privateKeyOf = (secrets: Secrets, address: string): Uint8Array => {
  const { source } = findSigner(secrets, address)
  if (source.kind === 'privateKey') return toBytes(source.privateKey)
  return keyAt(findPhrase(secrets, source.phraseId), source.index)
}

/** Lends the private key of an account to `use` and wipes it afterwards. Throws 4100 when the wallet does not hold it. */
export const withKeyOf = async <T>(
  secrets: Secrets,
  address: string,
  use: (key: Uint8Array) => T | Promise<T>,
): Promise<T> => {
  const key = privateKeyOf(secrets, address)
  try {
    return await use(key)
  } finally {
    key.fill(0)
  }
}
