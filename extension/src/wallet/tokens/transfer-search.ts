/** Searches a network's logs for transfers to accounts. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { type Looked, type SearchBounds, type SearchEnd, searchLogs } from '../networks/log-search.ts'
import { readLogs } from '../networks/logs.ts'
import type { Chain } from '../networks/node.ts'
import { groupsOf } from '../networks/node-uses.ts'
import type { Progress } from '../work/tasks.ts'
import {
  CURRENCY,
  type Mined,
  type Move,
  readMinedMoves,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from './token-moves.ts'

/** A transfer, and its log's position according to the node. */
export type SightedMove = Move & { mined: Mined | null }
/** Transfers found in a block range. */
export type Sighting = { moves: readonly SightedMove[]; looked: Looked }

const topicOf = (account: Address): string => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`

/**
 * Builds the filters. The recipient is the second indexed argument in `Transfer`, and the third in the ERC-1155 events.
 */
const filtersOf = (accounts: readonly Address[]) => {
  const receivers = accounts.map(topicOf)
  return [
    [TRANSFER, null, receivers],
    [[TRANSFER_SINGLE, TRANSFER_BATCH], null, null, receivers],
  ]
}

export type SearchParts = {
  chain: Chain
  network: Network
  accounts: readonly Address[]
  progress: Progress
  bounds?: SearchBounds
}

const readRange = async ({ chain, network, accounts }: SearchParts, { from, to }: Looked): Promise<SightedMove[]> => {
  const range = { fromBlock: encodeQuantity(from), toBlock: encodeQuantity(to) }
  const asked = groupsOf(network, accounts).flatMap(group =>
    filtersOf(group.accounts).map(topics => readLogs(chain, group.network, { ...range, topics })),
  )
  const answers = await Promise.all(asked)
  // A node may return logs that do not match the filter, so they are filtered again.
  return answers
    .flatMap(readMinedMoves)
    .filter(
      ({ token, to: receiver }) =>
        token !== null && !sameAddress(token, CURRENCY) && accounts.some(account => sameAddress(receiver, account)),
    )
}

/** Searches for transfers. Calls `onSighting` after each range. Throws like `searchLogs`. */
export const searchTransfers = (
  parts: SearchParts,
  head: number,
  looked: Looked,
  onSighting: (sighting: Sighting) => Promise<void>,
): Promise<SearchEnd> =>
  searchLogs(
    {
      progress: parts.progress,
      ...(parts.bounds && { bounds: parts.bounds }),
      read: range => readRange(parts, range),
    },
    head,
    looked,
    (moves, reached) => onSighting({ moves, looked: reached }),
  )
