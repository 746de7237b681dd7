/** Validates imported phrases, private keys and account names. */
import { decodeData } from '@heliograph/shared/evm/hex'
import type { PhraseInput } from '../../messages.ts'
import { rpcError } from '../text/errors.ts'
import { ACCOUNTS_PATH, type Derivation, toAccountsPath } from './derivation.ts'
import { toPhrase, type WordLists } from './phrase.ts'

const MAX_ACCOUNT_NAME = 32

export const toAccountName = (text: string): string => {
  const name = text.trim()
  if (name === '' || name.length > MAX_ACCOUNT_NAME)
    throw rpcError('invalidParams', 'accountNameLength', { most: MAX_ACCOUNT_NAME })
  return name
}

const PRIVATE_KEY = /^(?:0x)?([0-9a-f]{64})$/i

/** Parses a private key, 32 bytes. The error does not contain the input, which may be a key with a digit too many. */
export const toPrivateKey = (text: string): Uint8Array => {
  const [, digits] = PRIVATE_KEY.exec(text.trim()) ?? []
  if (digits === undefined) throw rpcError('invalidParams', 'notKeyDigits')
  return decodeData(`0x${digits}`)
}

/** Validates a phrase. Any passphrase is valid, because each derives different accounts. */
export const toDerivation = async (
  { phrase, passphrase = '', path = ACCOUNTS_PATH }: PhraseInput,
  wordLists: WordLists,
): Promise<Derivation> => ({ phrase: await toPhrase(phrase, wordLists), passphrase, path: toAccountsPath(path) })
