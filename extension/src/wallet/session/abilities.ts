/** Which of the wallet's methods a remote peer may be given, and which events it is told. */
import { splitMethod } from '@heliograph/shared/wire/node-methods'
import { findMethod } from '../methods/index.ts'
import { unsupportedNames } from '../methods/unsupported.ts'
import type { Abilities } from './namespaces.ts'

/** Of no use without a page, or the session's own matter: what a session may do is settled and updated, not asked for. */
const NOT_REMOTE: ReadonlySet<string> = new Set([
  ...unsupportedNames,
  'wallet_getPermissions',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
])
/** The same, by their bare names: they have one under each prefix of a network. */
const NOT_REMOTE_BARE: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe'])

/** What is offered to a peer that names no method. */
export const BASIC_METHODS = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']

/** The first two are sent; the others belong to a connection, and peers list them with these. */
const EVENTS: ReadonlySet<string> = new Set(['accountsChanged', 'chainChanged', 'message', 'connect', 'disconnect'])

type Known = { chainId: number; prefixes: readonly string[] }

export const abilitiesOf = (networks: readonly Known[]): Abilities => {
  const prefixes = [...new Set(networks.flatMap(network => network.prefixes))]
  const isForPages = (method: string) =>
    NOT_REMOTE.has(method) || NOT_REMOTE_BARE.has(splitMethod(method, prefixes) ?? '')
  return {
    hasChain: chainId => networks.some(network => network.chainId === chainId),
    hasMethod: method => !isForPages(method) && findMethod(method, prefixes) !== undefined,
    hasEvent: event => EVENTS.has(event),
  }
}
