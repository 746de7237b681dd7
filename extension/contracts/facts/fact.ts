/** Addresses that are in no package, taken from the protocol's official documentation. */
import { checksumAddress } from 'viem'
import { type Entry, entry, type Role } from '../entries.ts'

/** A contract's checksummed address, name and role. */
export type FactRow = readonly [address: `0x${string}`, name: string, role: Role]

/** A protocol's contracts by chain id, and the page that documents them. */
export interface FactGroup {
  readonly protocol: string
  readonly source: string
  readonly contracts: Readonly<Record<number, readonly FactRow[]>>
}

/** Lists the same contracts on several chains. */
export const onEach = (chainIds: readonly number[], rows: readonly FactRow[]): FactGroup['contracts'] =>
  Object.fromEntries(chainIds.map(chainId => [chainId, rows]))

const entryOf = (protocol: string, chain: string, [address, name, role]: FactRow): Entry => {
  // A mistyped address fails its checksum.
  if (checksumAddress(address) !== address) throw new Error(`${protocol} ${name}: ${address} has a wrong checksum`)
  const [made] = entry(chain, address, protocol, [name, role])
  if (!made) throw new Error(`${protocol} ${name} is on chain ${chain}, which the catalogue does not list`)
  return made
}

/** Converts groups to entries. Throws if an address has a wrong checksum or its chain is not listed. */
export const entriesOf = (groups: readonly FactGroup[]): readonly Entry[] =>
  groups.flatMap(({ protocol, contracts }) =>
    Object.entries(contracts).flatMap(([chain, rows]) => rows.map(row => entryOf(protocol, chain, row))),
  )
