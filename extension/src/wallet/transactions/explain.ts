/** Finds out why a transaction failed by executing it again with eth_call. */
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { decodeTransaction } from '@heliograph/shared/evm/transaction'
import type { ActivityFailure } from '../../messages.ts'
import type { Receipt } from '../networks/receipts.ts'
import { reasonOf } from '../networks/reverts.ts'
import type { Context } from '../requests/context.ts'

type FailedReceipt = Pick<Receipt, 'gasUsed' | 'block'>

const callOf = (raw: Hex, from: Hex) => {
  const { to, value, data, gas } = decodeTransaction(raw).transaction
  return { from, ...(to && { to }), value: encodeQuantity(value), data, gas: encodeQuantity(gas) }
}

/**
 * Executes the call on the state after its block and, if the call succeeds there, on the state before the block. Finds
 * no reason if the node does not have this historical state.
 */
export const explainFailure = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  raw: Hex,
  from: Hex,
  { gasUsed, block }: FailedReceipt,
): Promise<ActivityFailure> => {
  const call = callOf(raw, from)
  // All gas was used: either the limit was too low, or the contract consumed all of it. Neither case has a revert
  // reason.
  if (gasUsed === decodeQuantity(call.gas)) return { name: 'outOfGas', reason: null }
  for (const at of block > 0n ? [block, block - 1n] : [block]) {
    try {
      await chain(network, 'eth_call', [call, encodeQuantity(at)])
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== undefined) return { name: 'reverted', reason }
    }
  }
  return { name: 'reverted', reason: null }
}
