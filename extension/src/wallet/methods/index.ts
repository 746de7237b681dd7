/**
 * All methods available to sites: some by their full name, others by a bare name, which takes each prefix of the site's
 * network.
 */
import { bareName } from '@heliograph/shared/wire/node-methods'
import type { Method } from '../requests/context.ts'
import { accounts, coinbase, requestAccounts } from './accounts.ts'
import { addEthereumChain } from './add-ethereum-chain.ts'
import { chainId, netVersion } from './chain-id.ts'
import { getCallsStatus } from './get-calls-status.ts'
import { getCapabilities } from './get-capabilities.ts'
import { getPermissions, requestPermissions, revokePermissions } from './permissions.ts'
import { filterMakerOf, filterMakers, filterUserOf, filterUsers, readNames, readOf, uninstallFilter } from './reads.ts'
import { sendCalls } from './send-calls.ts'
import { ecRecover, personalSign, sign } from './sign-message.ts'
import { signTypedData, signTypedDataV3, signTypedDataV4 } from './sign-typed-data.ts'
import { subscribe, unsubscribe } from './subscribe.ts'
import { switchEthereumChain } from './switch-ethereum-chain.ts'
import { sendRawTransaction, sendTransaction, signTransaction } from './transactions.ts'
import { unsupported, unsupportedNames } from './unsupported.ts'
import { watchAsset } from './watch-asset.ts'
import { clientVersion, sha3 } from './web3.ts'

/** Methods by full name, which are the same on every network. */
const fixed = new Map<string, Method>([
  ['personal_sign', personalSign],
  ['personal_ecRecover', ecRecover],
  ['net_listening', readOf('net_listening')],
  ['net_version', netVersion],
  ['web3_clientVersion', clientVersion],
  ['web3_sha3', sha3],
  ['wallet_addEthereumChain', addEthereumChain],
  ['wallet_getCallsStatus', getCallsStatus],
  ['wallet_getCapabilities', getCapabilities],
  ['wallet_getPermissions', getPermissions],
  ['wallet_requestPermissions', requestPermissions],
  ['wallet_revokePermissions', revokePermissions],
  ['wallet_sendCalls', sendCalls],
  ['wallet_switchEthereumChain', switchEthereumChain],
  ['wallet_watchAsset', watchAsset],
  ...unsupportedNames.map((name): [string, Method] => [name, unsupported]),
])

/** Methods by bare name: `sign` is `eth_sign` on a network with the prefix `eth`. */
const prefixed = new Map<string, Method>([
  ['requestAccounts', requestAccounts],
  ['accounts', accounts],
  ['coinbase', coinbase],
  ['chainId', chainId],
  ['sign', sign],
  ['signTypedData', signTypedData],
  ['signTypedData_v3', signTypedDataV3],
  ['signTypedData_v4', signTypedDataV4],
  ['sendTransaction', sendTransaction],
  ['signTransaction', signTransaction],
  ['sendRawTransaction', sendRawTransaction],
  ['subscribe', subscribe],
  ['unsubscribe', unsubscribe],
  ['uninstallFilter', uninstallFilter],
  ...readNames.map((name): [string, Method] => [name, readOf(`eth_${name}`)]),
  ...filterMakers.map((name): [string, Method] => [name, filterMakerOf(`eth_${name}`)]),
  ...filterUsers.map((name): [string, Method] => [name, filterUserOf(`eth_${name}`)]),
])

export const findMethod = (name: string, prefixes: readonly string[]): Method | undefined => {
  const bare = bareName(name, prefixes)
  return fixed.get(name) ?? (bare === undefined ? undefined : prefixed.get(bare))
}
