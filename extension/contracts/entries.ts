/** Entries in the catalogue of contracts, and helpers that build them from the address tables in packages. */
import { checksumAddress } from 'viem'
import { chainIdOf, isListed } from './chains.ts'

/** Purposes of contracts. Code depends on `wrapped` and on the Safe roles. */
export const ROLES = [
  'router',
  'pool',
  'bridge',
  'staking',
  'marketplace',
  'fees',
  'permit',
  'multicall',
  'safe',
  'safe-singleton',
  'safe-multisend',
  'safe-multisend-call-only',
  'safe-module',
  'names',
  'entry-point',
  'wrapped',
  'token',
  'lending',
  'vault',
  'governance',
  'other',
] as const

export type Role = (typeof ROLES)[number]

/** A contract on one chain. */
export interface Entry {
  readonly chainId: number
  readonly address: string
  readonly protocol: string
  readonly name: string
  readonly role: Role
}

/** Name and role of a contract. */
export type Label = readonly [name: string, role: Role]

const ADDRESS = /^0x[0-9a-f]{40}$/i
const ZERO = /^0x0{40}$/

/** True for addresses, except the zero address, which packages use for "none". */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && ADDRESS.test(value) && !ZERO.test(value)

/** Returns an address in any case with its EIP-55 checksum. */
export const checksummed = (address: string): string => checksumAddress(`0x${address.slice(2).toLowerCase()}`)

/** True for objects whose properties can be read, including arrays. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Reads a property by path. Returns undefined if a step is missing. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((object, key) => (isRecord(object) ? object[key] : undefined), value)

/** Returns the properties of an object, or an empty list for any other value. */
export const propertiesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : []

/** Returns a list with one entry. Empty if the chain is not listed or the value is not an address. */
export const entry = (
  chain: number | string,
  address: unknown,
  protocol: string,
  [name, role]: Label,
): readonly Entry[] => {
  const chainId = chainIdOf(chain)
  return chainId !== undefined && isListed(chainId) && isAddress(address)
    ? [{ chainId, address, protocol, name, role }]
    : []
}

/** Makes an entry per chain for one contract whose addresses are keyed by chain. */
export const byChain = (addresses: unknown, protocol: string, label: Label): readonly Entry[] =>
  propertiesOf(addresses).flatMap(([chain, address]) => entry(chain, address, protocol, label))

/** Makes entries on one chain from addresses keyed by the names in `labels`. A dot in a name descends a level. */
export const byName = (
  chain: number | string,
  addresses: unknown,
  protocol: string,
  labels: Readonly<Record<string, Label>>,
): readonly Entry[] =>
  Object.entries(labels).flatMap(([key, label]) => entry(chain, at(addresses, ...key.split('.')), protocol, label))

/** Makes entries from addresses keyed by chain, then by the names in `labels`. A dot in a name descends a level. */
export const byChainAndName = (
  chains: unknown,
  protocol: string,
  labels: Readonly<Record<string, Label>>,
): readonly Entry[] => propertiesOf(chains).flatMap(([chain, addresses]) => byName(chain, addresses, protocol, labels))

/** Makes entries for a contract with the same address on several chains. */
export const onChains = (
  chains: readonly (number | string)[],
  address: string,
  protocol: string,
  label: Label,
): readonly Entry[] => chains.flatMap(chain => entry(chain, address, protocol, label))
