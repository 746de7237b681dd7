/** Reads transactions' receipts: https://ethereum.github.io/execution-apis/ */
import type { Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { askAs, type Chain } from './node.ts'
import { type Members, plausibleQuantityIn, quantityIn, statedQuantityIn, Unreadable } from './quantities.ts'

/**
 * Outcome of a mined transaction. `gasUsed`, `price` (wei per gas), and `l1Fee` (an OP Stack chain's fee for data, in
 * wei) are null if the node does not state them. `stated` has all members as the node wrote them.
 */
export type Receipt = {
  hasFailed: boolean
  block: bigint
  gasUsed: bigint | null
  price: bigint | null
  l1Fee: bigint | null
  logs: readonly unknown[]
  stated: Members
}

/**
 * Tells whether the transaction failed. Before Byzantium, receipts had the state root instead of a status. Some nodes
 * write null for the missing member.
 */
const hasFailed = (stated: Members): boolean => {
  const status = statedQuantityIn(stated, 'status')
  if (status !== null && status > 1n) throw new Unreadable({ status: stated.status })
  return status === 0n
}

const logsIn = ({ logs }: Members): readonly unknown[] => {
  if (logs === undefined || logs === null) return []
  if (Array.isArray(logs)) return logs
  throw new Unreadable({ logs })
}

/** True for the receipt of a transaction that is not in a block yet. Some nodes return such receipts. */
const isPending = ({ blockNumber, blockHash }: Members): boolean =>
  blockNumber === undefined || blockNumber === null || blockHash === null

const toReceipt = (result: unknown): Receipt | 'pending' | null => {
  if (result === undefined || result === null) return null
  if (!isObject(result)) throw new Unreadable(result)
  if (isPending(result)) return 'pending'
  return {
    hasFailed: hasFailed(result),
    block: quantityIn(result, 'blockNumber'),
    gasUsed: statedQuantityIn(result, 'gasUsed'),
    price: statedQuantityIn(result, 'effectiveGasPrice'),
    l1Fee: plausibleQuantityIn(result, 'l1Fee'),
    logs: logsIn(result),
    stated: result,
  }
}

/** Reads a transaction's receipt. Null if the node has none. Throws the node's errors, and 4901. */
export const readReceipt = (chain: Chain, network: Network, hash: Hex): Promise<Receipt | 'pending' | null> =>
  askAs(chain, network, { method: 'eth_getTransactionReceipt', params: [hash] }, toReceipt)
