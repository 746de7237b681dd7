/**
 * Methods that other wallets and nodes have and this one refuses on purpose: 4200 says so, where -32601 would say that
 * there is no such thing. https://eips.ethereum.org/EIPS/eip-1193
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Answering } from '../method.ts'

/** Full names. What they would do is: decrypt with the account's key, give a node keys or work, show what has no screen. */
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
    throw rpcError('unsupportedMethod', 'This wallet does not do that')
  },
}
