/** Looks up accounts, phrases and keys in the wallet's secrets. */
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeData } from '@heliograph/shared/evm/hex'
import { rpcError } from '../text/errors.ts'
import { keyAt } from './derivation.ts'
import type { Account, KeySource, Phrase, Secrets } from './vault-file.ts'

/** Returns the visible accounts in the user's order. */
export const accountsOf = (secrets: Secrets): Account[] => secrets.accounts.filter(({ hidden }) => !hidden)

/** Returns the account, hidden or not. Throws 4100 if the wallet does not have it. */
export const findAccount = (secrets: Secrets, address: string): Account => {
  const account = secrets.accounts.find(candidate => sameAddress(candidate.address, address))
  if (!account) throw rpcError('unauthorized', 'unknownAccount', { address })
  return account
}

/** Returns the phrase. Throws -32602 if the wallet does not have it. */
export const findPhrase = (secrets: Secrets, id: string): Phrase => {
  const phrase = secrets.phrases.find(candidate => candidate.id === id)
  if (!phrase) throw rpcError('invalidParams', 'phraseGone')
  return phrase
}

type Signer = Account & { source: Exclude<KeySource, { kind: 'watchOnly' }> }

const isSigner = (account: Account): account is Signer => account.source.kind !== 'watchOnly'

/** Returns an account that can sign. Throws 4100 if the wallet does not have it, or only watches it. */
export const findSigner = (secrets: Secrets, address: string): Signer => {
  const account = findAccount(secrets, address)
  if (!isSigner(account)) throw rpcError('unauthorized', 'watchOnly', { address: account.address })
  return account
}

/** Returns an account's private key, 32 bytes. The caller wipes it. Throws 4100 if the wallet does not hold it. */
export const privateKeyOf = async (secrets: Secrets, address: string): Promise<Uint8Array> => {
  const { source } = findSigner(secrets, address)
  if (source.kind === 'privateKey') return decodeData(source.privateKey)
  return keyAt(findPhrase(secrets, source.phraseId), source.index)
}

/** Calls `use` with an account's private key, then wipes the key. Throws 4100 if the wallet does not hold it. */
export const withKeyOf = async <T>(
  secrets: Secrets,
  address: string,
  use: (key: Uint8Array) => T | Promise<T>,
): Promise<T> => {
  const key = await privateKeyOf(secrets, address)
  try {
    return await use(key)
  } finally {
    key.fill(0)
  }
}
