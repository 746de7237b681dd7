/** Account discovery of BIP-44: an account is in use when its chain says so, and a gap of unused ones is the end. */
import type { Address } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import { askQuantity, type Chain } from '../chain.ts'
import type { Progress } from '../tasks.ts'
import { addressesAt, type Derivation } from './derivation.ts'
import type { Place } from './keyring-changes.ts'

/** So many unused accounts in a row end the search, as BIP-44 has it. */
export const DISCOVERY_GAP = 20
/** Where the search ends at the latest: a node that calls every account used must not keep it going. */
export const DISCOVERY_END = 400
/** Accounts that are asked about at the same time. */
const AT_ONCE = 5

const LATEST = 'latest'

/** Whether an account has sent something or holds coins. */
const isUsed = async (chain: Chain, network: Network, address: Address): Promise<boolean> => {
  const asked = ['eth_getTransactionCount', 'eth_getBalance'] as const
  const answers = await Promise.all(asked.map(method => askQuantity(chain, network, method, [address, LATEST])))
  return answers.some(answer => answer > 0n)
}

/** The accounts of a phrase that are in use on a network. Throws 4901 when its node is out of reach, and what `progress` throws. */
export const discover = async (
  { chain, network }: { chain: Chain; network: Network },
  derivation: Derivation,
  progress: Progress,
): Promise<Place[]> => {
  const found: Place[] = []
  let from = 0
  let end = DISCOVERY_GAP
  while (from < end) {
    const places = addressesAt(derivation, from, end - from).map((address, at) => ({ index: from + at, address }))
    for (const row of inRows(places)) {
      progress((row[0]?.index ?? 0) / end)
      const used = await Promise.all(row.map(({ address }) => isUsed(chain, network, address)))
      found.push(...row.filter((_, at) => used[at]))
    }
    from = end
    end = Math.min((found.at(-1)?.index ?? -1) + 1 + DISCOVERY_GAP, DISCOVERY_END)
  }
  return found
}

const inRows = (places: readonly Place[]): Place[][] =>
  Array.from({ length: Math.ceil(places.length / AT_ONCE) }, (_, row) =>
    places.slice(row * AT_ONCE, (row + 1) * AT_ONCE),
  )
