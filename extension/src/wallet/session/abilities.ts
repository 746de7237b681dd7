/** The methods and events that a session may be granted. */
import { bareName } from '@heliograph/shared/wire/node-methods'
import { findMethod } from '../methods/index.ts'
import { unsupportedNames } from '../methods/unsupported.ts'
import type { Abilities } from './namespaces.ts'

/**
 * Methods that sessions cannot use: methods that the wallet does not support, and permission methods, because a
 * session's permissions are set when it is settled or updated.
 */
const NOT_REMOTE: ReadonlySet<string> = new Set([
  ...unsupportedNames,
  'wallet_getPermissions',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
])
/** More methods that sessions cannot use, as bare names, because they exist under every network's prefix. */
const NOT_REMOTE_BARE: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe'])

/** Methods that are offered to a peer that requests no methods. */
export const BASIC_METHODS = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']

/**
 * Events that a peer may request. The wallet sends only the first two. The others are events of a page's provider,
 * which peers request as well.
 */
const EVENTS: ReadonlySet<string> = new Set(['accountsChanged', 'chainChanged', 'message', 'connect', 'disconnect'])

type Known = { chainId: number; prefixes: readonly string[] }

export const abilitiesOf = (networks: readonly Known[]): Abilities => {
  const prefixes = [...new Set(networks.flatMap(network => network.prefixes))]
  const isForPages = (method: string) => NOT_REMOTE.has(method) || NOT_REMOTE_BARE.has(bareName(method, prefixes) ?? '')
  return {
    hasChain: chainId => networks.some(network => network.chainId === chainId),
    hasMethod: method => !isForPages(method) && findMethod(method, prefixes) !== undefined,
    hasEvent: event => EVENTS.has(event),
  }
}
