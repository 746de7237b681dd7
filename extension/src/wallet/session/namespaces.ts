/**
 * Requested and granted namespaces: chains, accounts, methods and events.
 * https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */

import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { isObject } from '@heliograph/shared/evm/json'
import { valueError } from '../text/errors.ts'
import { accountOf, chainIdOf, chainOf, EIP155, isChain, isNamespace, namespaceOf, parseAccount } from './caip.ts'
import { sessionError } from './codes.ts'

/** A requested namespace. If it has no chains, any chain is acceptable. */
export type Wanted = { chains: readonly string[]; methods: readonly string[]; events: readonly string[] }
/** Requested namespaces by name. A key that is a chain, such as `eip155:1`, is merged into its namespace. */
export type WantedNamespaces = Readonly<Record<string, Wanted>>

export type Granted = Wanted & { accounts: readonly string[] }
export type GrantedNamespaces = Readonly<Record<string, Granted>>

/** The chains, methods and events that the wallet supports. */
export type Abilities = {
  hasChain(chainId: number): boolean
  hasMethod(method: string): boolean
  hasEvent(event: string): boolean
}

/** Limits: names in a list, characters of a name, keys of a proposal. Real apps stay far below them. */
const MAX_NAMES = 200
const MAX_NAME_LENGTH = 100
const MAX_KEYS = 50

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MAX_NAMES &&
  value.every(name => typeof name === 'string' && name.length <= MAX_NAME_LENGTH)

const unique = (names: readonly string[]): string[] => [...new Set(names)]

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const chainsOf = (key: string, chains: unknown): readonly string[] => {
  if (isChain(key)) {
    if (!isAbsent(chains) && !(isNames(chains) && chains.every(chain => chain === key)))
      throw sessionError('unsupportedChains', valueError('chainKeyWithOthers', { key }))
    return [key]
  }
  if (isAbsent(chains)) return []
  if (!isNames(chains) || !chains.every(chain => isChain(chain) && namespaceOf(chain) === key))
    throw sessionError('unsupportedChains', valueError('notChainsOfKey', { key }))
  return chains
}

const wantedOf = (key: string, value: unknown): Wanted => {
  if (!isNamespace(key) && !isChain(key))
    throw sessionError('unsupportedNamespaceKey', valueError('notNamespaceKey', { key }))
  if (!isObject(value)) throw sessionError('unsupportedNamespaceKey', valueError('namespaceIncomplete', { key }))
  const chains = chainsOf(key, value.chains)
  if (!isNames(value.methods)) throw sessionError('unsupportedMethods', valueError('notMethodNames', { key }))
  if (!isNames(value.events)) throw sessionError('unsupportedEvents', valueError('notEventNames', { key }))
  return { chains, methods: value.methods, events: value.events }
}

const merge = (one: Wanted | undefined, other: Wanted): Wanted => ({
  chains: unique([...(one?.chains ?? []), ...other.chains]),
  methods: unique([...(one?.methods ?? []), ...other.methods]),
  events: unique([...(one?.events ?? []), ...other.events]),
})

/** Parses required or optional namespaces. Absent ones are empty. Throws 5100, 5101, 5102 and 5104. */
export const parseWanted = (value: unknown): WantedNamespaces => {
  if (isAbsent(value)) return {}
  if (!isObject(value) || Object.keys(value).length > MAX_KEYS)
    throw sessionError('unsupportedNamespaceKey', valueError('tooManyNamespaces', { limit: MAX_KEYS }))
  // A namespace never collides with a property of Object.prototype, whose names contain capitals or underscores.
  const found: Record<string, Wanted> = {}
  for (const [key, wanted] of Object.entries(value)) {
    const parsed = wantedOf(key, wanted)
    const namespace = namespaceOf(key)
    found[namespace] = merge(found[namespace], parsed)
  }
  return found
}

const isEmpty = ({ methods, events, chains }: Wanted) => methods.length + events.length + chains.length === 0

/** Throws 5100, 5101, 5102 and 5104 if the wallet lacks a required part. */
export const assertSupported = (required: WantedNamespaces, abilities: Abilities): void => {
  for (const [namespace, wanted] of Object.entries(required)) {
    if (namespace !== EIP155 && !isEmpty(wanted))
      throw sessionError('unsupportedNamespaceKey', valueError('unsupportedNamespaceKey', { names: namespace }))
    const lacks = {
      unsupportedChains: wanted.chains.filter(chain => !isOwnChain(chain, abilities)),
      unsupportedMethods: wanted.methods.filter(method => !abilities.hasMethod(method)),
      unsupportedEvents: wanted.events.filter(event => !abilities.hasEvent(event)),
    }
    for (const [code, names] of Object.entries(lacks) as [keyof typeof lacks, string[]][])
      if (names.length > 0) throw sessionError(code, valueError(code, { names: names.join(', ') }))
  }
}

/** Throws 5100 and 5104 if the wallet has none of the requested chains, required or optional. */
export const assertCommon = (required: WantedNamespaces, optional: WantedNamespaces, abilities: Abilities): void => {
  const wanted = [required[EIP155], optional[EIP155]].filter(one => one !== undefined)
  const others = [...Object.keys(required), ...Object.keys(optional)]
  if (wanted.length === 0 && others.length > 0)
    throw sessionError('unsupportedNamespaceKey', valueError('unsupportedNamespaceKey', { names: others.join(', ') }))
  const chains = wanted.flatMap(one => one.chains)
  if (chains.length > 0 && !chains.some(chain => isOwnChain(chain, abilities)))
    throw sessionError('unsupportedChains', valueError('unsupportedChains', { names: chains.join(', ') }))
}

const isOwnChain = (chain: string, { hasChain }: Abilities): boolean => {
  const chainId = chainIdOf(chain)
  return chainId !== undefined && hasChain(chainId)
}

const NOTHING: Wanted = { chains: [], methods: [], events: [] }

/** The requested chains, methods and events that the wallet supports. */
export type Offer = { chainIds: readonly number[]; methods: readonly string[]; events: readonly string[] }

/** Returns the offer. `fallback` and `basic` are the chains and methods for a peer that names none. */
export const offerOf = (
  required: WantedNamespaces,
  optional: WantedNamespaces,
  abilities: Abilities,
  { fallback, basic }: { fallback: number; basic: readonly string[] },
): Offer => {
  const { chains, methods, events } = merge(required[EIP155] ?? NOTHING, optional[EIP155] ?? NOTHING)
  const chainIds = chains.map(chainIdOf).filter(id => id !== undefined && abilities.hasChain(id)) as number[]
  return {
    chainIds: chains.length === 0 ? [fallback] : chainIds,
    methods: (methods.length === 0 ? basic : methods).filter(abilities.hasMethod),
    events: events.filter(abilities.hasEvent),
  }
}

/** Builds the namespaces that grant these accounts on these chains. */
export const grant = (
  accounts: readonly Address[],
  {
    chainIds,
    methods,
    events,
  }: Readonly<Record<'methods' | 'events', readonly string[]>> & { chainIds: readonly number[] },
): GrantedNamespaces => ({
  [EIP155]: {
    chains: chainIds.map(chainOf),
    accounts: chainIds.flatMap(chainId => accounts.map(address => accountOf(chainId, address))),
    methods,
    events,
  },
})

/** Throws 5001, 5002, 5003 and 5103 if the namespaces lack a required part, or have invalid accounts. */
export const assertConforming = (required: WantedNamespaces, granted: GrantedNamespaces): void => {
  const given = granted[EIP155] ?? { ...NOTHING, accounts: [] }
  const chains = given.accounts.map(account => parseAccount(account)?.chain)
  if (chains.length === 0 || chains.includes(undefined))
    throw sessionError('unsupportedAccounts', valueError('noSessionAccounts'))
  const wanted = required[EIP155] ?? NOTHING
  const lacks = {
    userRejectedChains: wanted.chains.filter(chain => !chains.includes(chain)),
    userRejectedMethods: wanted.methods.filter(method => !given.methods.includes(method)),
    userRejectedEvents: wanted.events.filter(event => !given.events.includes(event)),
  }
  for (const [code, names] of Object.entries(lacks) as [keyof typeof lacks, string[]][])
    if (names.length > 0) throw sessionError(code, valueError(code, { names: names.join(', ') }))
}

/** Returns the granted accounts in order, without duplicates. */
export const grantedAccounts = (granted: GrantedNamespaces): Address[] => {
  const found: Address[] = []
  for (const account of granted[EIP155]?.accounts ?? []) {
    const address = parseAccount(account)?.address
    if (address && !found.some(other => sameAddress(other, address))) found.push(address)
  }
  return found
}

/** Returns the granted chain ids in order. */
export const grantedChains = (granted: GrantedNamespaces): number[] =>
  (granted[EIP155]?.chains ?? []).map(chainIdOf).filter(id => id !== undefined) as number[]

/** Returns the namespaces, with the accounts, chains, methods or events of `change` in place of the granted ones. */
export const regrant = (
  granted: GrantedNamespaces,
  change: Partial<Offer> & { accounts?: readonly Address[] },
): GrantedNamespaces => {
  const { methods = [], events = [] } = granted[EIP155] ?? {}
  const { accounts = grantedAccounts(granted), ...offer } = change
  return grant(accounts, { chainIds: grantedChains(granted), methods, events, ...offer })
}

/** Checks that a call is granted and returns its chain id. Throws 3005 and 3001. */
export const assertCovered = (granted: GrantedNamespaces, chain: string, method: string): number => {
  const given = granted[EIP155]
  const chainId = chainIdOf(chain)
  if (chainId === undefined || !given?.chains.includes(chain)) throw sessionError('unauthorizedChain')
  if (!given.methods.includes(method)) throw sessionError('unauthorizedMethod')
  return chainId
}
