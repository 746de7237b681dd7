/**
 * Builds the catalogue of contracts, `extension/public/contracts.json`, from published packages (sources.ts), viem's
 * chains (viem.ts) and facts that are in no package (facts.ts). `npm run contracts` writes it.
 */
import { checksumAddress } from 'viem'
import { type Entry, ROLES } from './entries.ts'

/** Maximum length of the names that the approval window shows. */
const MAX_NAME = 40

type Row = readonly [address: string, protocol: string, name: string, role: string]

/** Contents of `contracts.json`: rows by chain id. */
export type Catalogue = Readonly<Record<string, readonly Row[]>>

const keyOf = ({ chainId, address }: Entry): string => `${chainId} ${address.toLowerCase()}`

const titleOf = ({ protocol, name }: Entry): string => `${protocol} ${name}`

/**
 * Keeps the first entry per chain and address. Throws if entries with the same address name different protocols: one of
 * them must be wrong.
 */
export const mergeEntries = (entries: readonly Entry[]): readonly Entry[] => {
  const merged = new Map<string, Entry>()
  for (const entry of entries) {
    const earlier = merged.get(keyOf(entry))
    if (earlier && earlier.protocol !== entry.protocol)
      throw new Error(`${keyOf(entry)} is both ${titleOf(earlier)} and ${titleOf(entry)}`)
    if (!earlier) merged.set(keyOf(entry), { ...entry, address: checksumAddress(toHex(entry.address)) })
  }
  return [...merged.values()]
}

const toHex = (address: string): `0x${string}` => {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Error(`${address} is not an address`)
  return `0x${address.slice(2).toLowerCase()}`
}

const hasRole = (role: string): boolean => ROLES.some(known => known === role)

const isName = (name: string): boolean =>
  new RegExp(`^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,${MAX_NAME - 2}}[\\x21-\\x7e])?$`).test(name)

const faultsOfRow = ([address, protocol, name, role]: Row): readonly string[] => {
  const canonical = toHex(address)
  return [
    ...(checksumAddress(canonical) === address ? [] : ['address without its checksum']),
    ...(BigInt(canonical) === 0n ? ['the zero address'] : []),
    ...(isName(protocol) ? [] : [`protocol "${protocol}" is empty, too long or not ASCII`]),
    ...(isName(name) ? [] : [`name "${name}" is empty, too long or not ASCII`]),
    ...(hasRole(role) ? [] : [`unknown role ${role}`]),
  ]
}

/** Throws if a row is malformed, or if a chain's rows are not unique and sorted by address. */
export const validateCatalogue = (catalogue: Catalogue): void => {
  for (const [chainId, rows] of Object.entries(catalogue)) {
    let previous = ''
    for (const row of rows) {
      const lower = row[0].toLowerCase()
      const faults = [...faultsOfRow(row), ...(lower > previous ? [] : [`not sorted after ${previous}`])]
      if (faults.length > 0) throw new Error(`${chainId} ${row[0]}: ${faults.join(', ')}`)
      previous = lower
    }
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Groups the entries by chain id and sorts them by address. Throws if the result is invalid. */
export const toCatalogue = (entries: readonly Entry[]): Catalogue => {
  const catalogue: Record<string, Row[]> = {}
  const sorted = mergeEntries(entries).toSorted((one, other) =>
    compare(one.address.toLowerCase(), other.address.toLowerCase()),
  )
  for (const { chainId, address, protocol, name, role } of sorted) {
    catalogue[chainId] ??= []
    catalogue[chainId].push([address, protocol, name, role])
  }
  validateCatalogue(catalogue)
  return catalogue
}

/** Formats the catalogue file, with one contract per line. */
export const serialiseCatalogue = (catalogue: Catalogue): string => {
  const chains = Object.entries(catalogue).map(
    ([chainId, rows]) => `${JSON.stringify(chainId)}:[\n${rows.map(row => JSON.stringify(row)).join(',\n')}\n]`,
  )
  return `{${chains.join(',\n')}}\n`
}
