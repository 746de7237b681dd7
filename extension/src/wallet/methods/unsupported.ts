/**
 * Methods of other wallets and nodes that this wallet deliberately refuses. 4200 means unsupported, -32601 unknown.
 * https://eips.ethereum.org/EIPS/eip-1193
 */
import type { Answering } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'

/**
 * Full names. These methods decrypt with the account's key, control a node's keys or mining, or need a screen that the
 * wallet does not have.
 */
export const unsupportedNames = [
  'eth_decrypt',
  'eth_getEncryptionPublicKey',
  'eth_getWork',
  'eth_submitHashrate',
  'eth_submitWork',
  'personal_importRawKey',
  'personal_listAccounts',
  'personal_lockAccount',
  'personal_newAccount',
  'personal_sendTransaction',
  'personal_signTransaction',
  'personal_unlockAccount',
  'wallet_createSession',
  'wallet_getSnaps',
  'wallet_invokeSnap',
  'wallet_registerOnboarding',
  'wallet_requestSnaps',
  'wallet_scanQRCode',
  'wallet_showCallsStatus',
] as const

export const unsupported: Answering = {
  answer: async () => {
    throw rpcError('unsupportedMethod', 'unsupportedMethod')
  },
}
