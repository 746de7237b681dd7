/**
 * What a peer wants of a wallet, and what the wallet gives it: chains, accounts, methods and events by namespace.
 * https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { accountOf, chainIdOf, chainOf, EIP155, isChain, isNamespace, namespaceOf, parseAccount } from './caip.ts'
import { sessionError } from './codes.ts'

/** What is wanted of one namespace. Without chains, on any of them. */
export type Wanted = { chains: readonly string[]; methods: readonly string[]; events: readonly string[] }
/** By namespace; a key that names a chain, `eip155:1`, is read into its namespace. */
export type WantedNamespaces = Readonly<Record<string, Wanted>>

export type Granted = Wanted & { accounts: readonly string[] }
export type GrantedNamespaces = Readonly<Record<string, Granted>>

/** What the wallet can do at all. */
export type Abilities = {
  hasChain(chainId: number): boolean
  hasMethod(method: string): boolean
  hasEvent(event: string): boolean
}

/** Names in one list, characters of a name, keys of one proposal: beyond it no application is at work. */
const MAX_NAMES = 200
const MAX_NAME_LENGTH = 100
const MAX_KEYS = 50

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MAX_NAMES &&
  value.every(name => typeof name === 'string' && name.length <= MAX_NAME_LENGTH)

const unique = (names: readonly string[]): string[] => [...new Set(names)]

const chainsOf = (key: string, chains: unknown): readonly string[] => {
  if (isChain(key)) {
    if (chains !== undefined && !(isNames(chains) && chains.every(chain => chain === key)))
      throw sessionError('unsupportedChains', 'a key that names a chain has no others')
    return [key]
  }
  if (chains === undefined) return []
  if (!isNames(chains) || !chains.every(chain => isChain(chain) && namespaceOf(chain) === key))
    throw sessionError('unsupportedChains', 'must be chains of the namespace, as eip155:1')
  return chains
}

const wantedOf = (key: string, value: unknown): Wanted => {
  if (!isNamespace(key) && !isChain(key))
    throw sessionError('unsupportedNamespaceKey', 'must be a namespace or a chain, as eip155 or eip155:1')
  if (!isObject(value)) throw sessionError('unsupportedNamespaceKey', 'must hold chains, methods and events')
  const chains = chainsOf(key, value.chains)
  if (!isNames(value.methods)) throw sessionError('unsupportedMethods', 'must be a list of names')
  if (!isNames(value.events)) throw sessionError('unsupportedEvents', 'must be a list of names')
  return { chains, methods: value.methods, events: value.events }
}

const merge = (one: Wanted | undefined, other: Wanted): Wanted => ({
  chains: unique([...(one?.chains ?? []), ...other.chains]),
  methods: unique([...(one?.methods ?? []), ...other.methods]),
  events: unique([...(one?.events ?? []), ...other.events]),
})

/** Reads required or optional namespaces as they came; absent ones are none. Throws errors 5100, 5101, 5102 and 5104. */
export const parseWanted = (value: unknown): WantedNamespaces => {
  if (value === undefined || value === null) return {}
  if (!isObject(value) || Object.keys(value).length > MAX_KEYS)
    throw sessionError('unsupportedNamespaceKey', `must be an object of at most ${MAX_KEYS} namespaces`)
  // No name of a namespace is one that objects have by themselves: those have capitals or underscores.
  const found: Record<string, Wanted> = {}
  for (const [key, wanted] of Object.entries(value)) {
    const parsed = wantedOf(key, wanted)
    const namespace = namespaceOf(key)
    found[namespace] = merge(found[namespace], parsed)
  }
  return found
}

const isEmpty = ({ methods, events, chains }: Wanted) => methods.length + events.length + chains.length === 0

/** Throws errors 5100, 5101, 5102 and 5104 for what is required and the wallet does not have. */
export const assertSupported = (required: WantedNamespaces, abilities: Abilities): void => {
  for (const [namespace, wanted] of Object.entries(required)) {
    if (namespace !== EIP155 && !isEmpty(wanted)) throw sessionError('unsupportedNamespaceKey', namespace)
    const lacks = {
      unsupportedChains: wanted.chains.filter(chain => !isOwnChain(chain, abilities)),
      unsupportedMethods: wanted.methods.filter(method => !abilities.hasMethod(method)),
      unsupportedEvents: wanted.events.filter(event => !abilities.hasEvent(event)),
    }
    for (const [code, names] of Object.entries(lacks) as [keyof typeof lacks, string[]][])
      if (names.length > 0) throw sessionError(code, names.join(', '))
  }
}

/** Throws 5100 and 5104 where chains are asked for and the wallet has none of them, required or not. */
export const assertCommon = (required: WantedNamespaces, optional: WantedNamespaces, abilities: Abilities): void => {
  const wanted = [required[EIP155], optional[EIP155]].filter(one => one !== undefined)
  const others = [...Object.keys(required), ...Object.keys(optional)]
  if (wanted.length === 0 && others.length > 0) throw sessionError('unsupportedNamespaceKey', others.join(', '))
  const chains = wanted.flatMap(one => one.chains)
  if (chains.length > 0 && !chains.some(chain => isOwnChain(chain, abilities)))
    throw sessionError('unsupportedChains', chains.join(', '))
}

const isOwnChain = (chain: string, { hasChain }: Abilities): boolean => {
  const chainId = chainIdOf(chain)
  return chainId !== undefined && hasChain(chainId)
}

const NOTHING: Wanted = { chains: [], methods: [], events: [] }

/** What may be offered to the person: all that is wanted and that the wallet has. */
export type Offer = { chainIds: readonly number[]; methods: readonly string[]; events: readonly string[] }

/** `fallback` is the chain for a peer that names none, `basic` are the methods for one that names none. */
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

/** The namespaces in which a peer gets these accounts on these chains. */
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

/** Throws errors 5001, 5002, 5003 and 5103 where namespaces lack what is required, or their accounts are no accounts. */
export const assertConforming = (required: WantedNamespaces, granted: GrantedNamespaces): void => {
  const given = granted[EIP155] ?? { ...NOTHING, accounts: [] }
  const chains = given.accounts.map(account => parseAccount(account)?.chain)
  if (chains.length === 0 || chains.includes(undefined))
    throw sessionError('unsupportedAccounts', 'must be accounts of EIP-155, one at least')
  const wanted = required[EIP155] ?? NOTHING
  const lacks = {
    userRejectedChains: wanted.chains.filter(chain => !chains.includes(chain)),
    userRejectedMethods: wanted.methods.filter(method => !given.methods.includes(method)),
    userRejectedEvents: wanted.events.filter(event => !given.events.includes(event)),
  }
  for (const [code, names] of Object.entries(lacks) as [keyof typeof lacks, string[]][])
    if (names.length > 0) throw sessionError(code, names.join(', '))
}

/** The accounts in namespaces, each once, in order. */
export const grantedAccounts = (granted: GrantedNamespaces): Address[] => {
  const found: Address[] = []
  for (const account of granted[EIP155]?.accounts ?? []) {
    const address = parseAccount(account)?.address
    if (address && !found.some(other => sameAddress(other, address))) found.push(address)
  }
  return found
}

/** The chain ids in namespaces, in order. */
export const grantedChains = (granted: GrantedNamespaces): number[] =>
  (granted[EIP155]?.chains ?? []).map(chainIdOf).filter(id => id !== undefined) as number[]

/** The same namespaces with other accounts, chains, methods or events. */
export const regrant = (
  granted: GrantedNamespaces,
  change: Partial<Offer> & { accounts?: readonly Address[] },
): GrantedNamespaces => {
  const { methods = [], events = [] } = granted[EIP155] ?? {}
  const { accounts = grantedAccounts(granted), ...offer } = change
  return grant(accounts, { chainIds: grantedChains(granted), methods, events, ...offer })
}

/** Throws 3005 and 3001 for a call that the namespaces do not cover. Returns the chain id. */
export const assertCovered = (granted: GrantedNamespaces, chain: string, method: string): number => {
  const given = granted[EIP155]
  const chainId = chainIdOf(chain)
  if (chainId === undefined || !given?.chains.includes(chain)) throw sessionError('unauthorizedChain')
  if (!given.methods.includes(method)) throw sessionError('unauthorizedMethod')
  return chainId
}
