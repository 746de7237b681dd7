/** Reads receipts of transactions: https://ethereum.github.io/execution-apis/ */
import type { Hex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { Network } from '@heliograph/shared/network'
import { askAs, type Chain } from './node.ts'
import { type Members, plausibleQuantityIn, quantityIn, statedQuantityIn, Unreadable } from './quantities.ts'

/**
 * Outcome of a mined transaction. `gasUsed`, `price`, in wei per gas, and `l1Fee`, what chains of the OP Stack charge for data
 * in wei, are null if the node does not state them. `stated` has all members as the node wrote them.
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

/** Before Byzantium, receipts had the root of the state and no status; some nodes write neither for null. */
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

/** A transaction in no block has a receipt on some nodes. */
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

/** The receipt of a transaction, null if the node has none. Throws the node's errors, and 4901. */
export const readReceipt = (chain: Chain, network: Network, hash: Hex): Promise<Receipt | 'pending' | null> =>
  askAs(chain, network, { method: 'eth_getTransactionReceipt', params: [hash] }, toReceipt)
