/**
 * Builds the catalogue of tokens, `extension/public/tokens.json`, from published packages (sources.ts).
 * `npm run tokens` writes it.
 */
import { isListed } from '../contracts/chains.ts'
import { checksummed, isAddress } from '../contracts/entries.ts'

/** A token as a package describes it. */
export interface TokenEntry {
  readonly chainId: number
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

type Row = readonly [address: string, symbol: string, decimals: number]

/** Contents of `tokens.json`: rows by chain id, the most used tokens first. */
export type TokenCatalogue = Readonly<Record<string, readonly Row[]>>

/** Maximum number of tokens per chain: the wallet reads all balances of an account in a few requests. */
const MAX_PER_CHAIN = 400
/** Symbols that the wallet shows without quotes. `₮` is in Tether's own symbols. */
const SYMBOL = /^[A-Za-z0-9₮][A-Za-z0-9₮.+-]{0,10}$/
const MAX_DECIMALS = 36

const isToken = ({ chainId, address, symbol, decimals }: TokenEntry): boolean =>
  isListed(chainId) &&
  isAddress(address) &&
  SYMBOL.test(symbol) &&
  Number.isSafeInteger(decimals) &&
  decimals >= 0 &&
  decimals <= MAX_DECIMALS

/** Returns one name for symbols that a user may confuse, such as `USD₮` and `usdt`. */
const nameOf = (symbol: string): string => symbol.toUpperCase().replaceAll('₮', 'T')

/**
 * Keeps the first entry per address and, on each chain, per symbol: two listed tokens must not have one name, and the
 * sources come in order of their care.
 */
export const toTokenCatalogue = (entries: readonly TokenEntry[]): TokenCatalogue => {
  const catalogue: Record<string, Row[]> = {}
  const taken = new Set<string>()
  for (const entry of entries.filter(isToken)) {
    const keys = [`${entry.chainId} ${checksummed(entry.address)}`, `${entry.chainId} ${nameOf(entry.symbol)}`]
    catalogue[entry.chainId] ??= []
    const rows = catalogue[entry.chainId]
    if (!rows || rows.length >= MAX_PER_CHAIN || keys.some(key => taken.has(key))) continue
    for (const key of keys) taken.add(key)
    rows.push([checksummed(entry.address), entry.symbol, entry.decimals])
  }
  return catalogue
}

const faultsOf = (chainId: string, [address, symbol, decimals]: Row): readonly string[] => [
  ...(isToken({ chainId: Number(chainId), address, symbol, decimals }) ? [] : ['malformed']),
  ...(checksummed(address) === address ? [] : ['address without its checksum']),
]

/** Throws if a row is malformed, or if an address or a symbol is not unique on its chain. */
export const validateTokens = (catalogue: TokenCatalogue): void => {
  for (const [chainId, rows] of Object.entries(catalogue)) {
    for (const row of rows) {
      const faults = faultsOf(chainId, row)
      if (faults.length > 0) throw new Error(`${chainId} ${row[0]}: ${faults.join(', ')}`)
    }
    for (const names of [rows.map(([address]) => checksummed(address)), rows.map(([, symbol]) => nameOf(symbol))])
      if (new Set(names).size !== rows.length) throw new Error(`${chainId} has an address or a symbol twice`)
  }
}

/** Formats the catalogue file, with one token per line. */
export const serialiseTokens = (catalogue: TokenCatalogue): string => {
  const chains = Object.entries(catalogue).map(
    ([chainId, rows]) => `${JSON.stringify(chainId)}:[\n${rows.map(row => JSON.stringify(row)).join(',\n')}\n]`,
  )
  return `{${chains.join(',\n')}}\n`
}
