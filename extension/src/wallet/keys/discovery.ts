/** Account discovery (BIP-44): derives accounts until it finds a gap of unused accounts. */
import type { Address } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import { askQuantity, type Chain } from '../networks/node.ts'
import type { Progress } from '../work/tasks.ts'
import { addressesAt, type Derivation } from './derivation.ts'
import type { IndexedAddress } from './keyring-changes.ts'

/** Number of consecutive unused accounts that ends the search (BIP-44). */
export const DISCOVERY_GAP = 20
/** Maximum number of accounts searched, in case a node reports every account as used. */
export const DISCOVERY_END = 400
/** Maximum number of accounts queried concurrently. */
const AT_ONCE = 5

const LATEST = 'latest'

/** Reads which of the accounts are used on a network. Throws 4901 if its node is unreachable. */
export const findUsed = async (chain: Chain, network: Network, addresses: readonly Address[]): Promise<boolean[]> => {
  const used: boolean[] = []
  for (const row of rowsOf(addresses))
    used.push(...(await Promise.all(row.map(address => isUsed(chain, network, address)))))
  return used
}

/** True if the account has sent a transaction or has a balance. */
const isUsed = async (chain: Chain, network: Network, address: Address): Promise<boolean> => {
  const asked = ['eth_getTransactionCount', 'eth_getBalance'] as const
  const answers = await Promise.all(asked.map(method => askQuantity(chain, network, method, [address, LATEST])))
  return answers.some(answer => answer > 0n)
}

/**
 * Finds a phrase's accounts that are used on a network. Throws 4901 if its node is unreachable, and any error thrown by
 * `progress`.
 */
export const discover = async (
  { chain, network }: { chain: Chain; network: Network },
  derivation: Derivation,
  progress: Progress,
): Promise<IndexedAddress[]> => {
  const found: IndexedAddress[] = []
  let from = 0
  let end = DISCOVERY_GAP
  while (from < end) {
    const addresses = await addressesAt(derivation, from, end - from)
    const places = addresses.map((address, at) => ({ index: from + at, address }))
    for (const row of rowsOf(places)) {
      progress((row[0]?.index ?? 0) / end)
      const used = await findUsed(
        chain,
        network,
        row.map(({ address }) => address),
      )
      found.push(...row.filter((_, at) => used[at]))
    }
    from = end
    end = Math.min((found.at(-1)?.index ?? -1) + 1 + DISCOVERY_GAP, DISCOVERY_END)
  }
  return found
}

const rowsOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, row) => items.slice(row * AT_ONCE, (row + 1) * AT_ONCE))
