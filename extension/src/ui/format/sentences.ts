/** Translates the background's English error messages into the page's language. */
import { type TextKey, text } from './text.ts'

/** The text keys, and the background's messages. `$1` and `$2` are the values that the background filled in. */
export const SENTENCES: readonly (readonly [TextKey, string])[] = [
  ['error_password', 'That password is not right.'],
  ['error_locked', 'The wallet is locked'],
  ['error_busy', 'Something else is still being worked on'],
  ['error_rpcUrl', 'An RPC URL begins with http:// or https:// and carries no user name'],
  ['error_rpcWrongChain', 'This server reports chain $1, not $2. Nothing was saved.'],
  ['error_rpcWrongChainAsked', 'The RPC reports chain $1, not $2. Nothing was added.'],
  ['error_rpcNoJson', 'The $1 RPC gave an answer that is not JSON-RPC'],
  ['error_rpcUnsure', 'The $1 RPC did not say whether it took the transaction $2. It may still be mined.'],
  ['error_accountExists', 'The wallet has this account already'],
  ['error_phraseExists', 'The wallet has this phrase already'],
  ['error_lastAccount', "You can't remove your last account."],
  ['error_keystorePassword', 'The password of the keystore is not right, or the file is damaged'],
  ['error_keystoreNoJson', 'That is not a keystore file: it is not JSON'],
  ['error_keystoreForm', 'That is not a keystore of version 3 that this wallet can read, see $1'],
  ['error_keystoreCost', 'The keystore asks for a key derivation that costs more than this wallet accepts'],
  ['error_keystoreAddress', 'The key in the keystore is not the key of the address that the file names'],
  ['error_phrase', 'That is not a recovery phrase: check the words and their order'],
  [
    'error_vaultCut',
    'The vault file is cut short. Nothing was changed. Restore its last good copy, or the wallet from its phrase.',
  ],
  [
    'error_vaultDamaged',
    'The vault file is damaged. Nothing was changed. Restore its last good copy, or the wallet from its phrase.',
  ],
  [
    'error_vaultNewer',
    'The vault was written by a newer version of this wallet. Nothing was changed. Update the wallet.',
  ],
  [
    'error_commonPassword',
    'This password is one of the most common, so it is guessed first. Choose another, such as four unrelated words.',
  ],
  ['error_nonceUsed', 'The nonce $1 was used already: the next is $2'],
  ['error_notOnItsWay', 'The transaction is no longer pending'],
  ['error_feeTooFar', 'The network asks more than $1 times the price of before. Choose the fee.'],
  ['error_requestChanged', 'The request has changed since it was shown. Look at it again.'],
  ['error_requestOld', 'This request has expired.'],
  ['error_ownContact', 'This is the address of your own account $1'],
  ['error_contactOwnName', 'An account of yours is called $1. Choose another name.'],
  ['error_contactName', 'Another contact is called $1 already. Choose another name.'],
  ['error_contactsFull', 'There are $1 contacts already'],
  ['error_linkOther', 'The link is for a relay of another protocol'],
  ['error_linkOld', 'The link is too old. Make a new one in the other app.'],
  ['error_linkUsed', 'The link was used already. Make a new one in the other app.'],
  ['error_relayInUse', 'Sessions go over this relay. Disconnect them first.'],
  ['error_noToken', 'There is no token at this address on this network'],
  ['error_interfacesFull', 'There are $1 contract interfaces already. Remove one first.'],
  ['cannotReach', 'Cannot reach the $1 RPC'],
]

const SIGNS = /[.*+?^(){}|[\]\\]/g

const patternOf = (sentence: string): RegExp =>
  new RegExp(`^${sentence.replace(SIGNS, '\\$&').replace(/\$\d/g, '(.+)')}$`, 's')

/** The sentence in the page's language, or unchanged if it is unknown, such as a node's or a contract's own text. */
export const inLanguage = (sentence: string): string => {
  for (const [key, said] of SENTENCES) {
    const found = patternOf(said).exec(sentence)
    if (found) return text(key, ...found.slice(1))
  }
  return sentence
}
