/** Searches a network's logs for transfers to an account. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { type Looked, type SearchEnd, searchLogs } from '../networks/log-search.ts'
import type { Chain } from '../networks/node.ts'
import type { Progress } from '../work/tasks.ts'
import { CURRENCY, type Move, readMoves, TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE } from './token-moves.ts'

/** Transfers found in a block range. */
export type Sighting = { moves: readonly Move[]; looked: Looked }

const topicOf = (account: Address): string => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`

/** The recipient is the second indexed argument of `Transfer`, and the third of the ERC-1155 events. */
const filtersOf = (account: Address) => [
  [TRANSFER, null, topicOf(account)],
  [[TRANSFER_SINGLE, TRANSFER_BATCH], null, null, topicOf(account)],
]

export type SearchParts = { chain: Chain; network: Network; account: Address; progress: Progress }

const readRange = async ({ chain, network, account }: SearchParts, { from, to }: Looked): Promise<Move[]> => {
  const range = { fromBlock: fromQuantity(from), toBlock: fromQuantity(to) }
  const answers = await Promise.all(
    filtersOf(account).map(topics => chain(network, 'eth_getLogs', [{ ...range, topics }])),
  )
  // A node may return logs that do not match the filter.
  return answers
    .flatMap(readMoves)
    .filter(
      ({ token, to: receiver }) => token !== null && !sameAddress(token, CURRENCY) && sameAddress(receiver, account),
    )
}

/** Like `searchLogs`. Calls `onSighting` after each range. */
export const searchTransfers = (
  parts: SearchParts,
  head: number,
  looked: Looked,
  onSighting: (sighting: Sighting) => Promise<void>,
): Promise<SearchEnd> =>
  searchLogs({ progress: parts.progress, read: range => readRange(parts, range) }, head, looked, (moves, reached) =>
    onSighting({ moves, looked: reached }),
  )
