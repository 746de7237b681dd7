/** Why a transaction failed, found out by doing it again without sending it. */
import { fromQuantity, type Hex, toQuantity } from '@heliograph/shared/evm/hex'
import { decodeTransaction } from '@heliograph/shared/evm/transaction'
import type { ActivityFailure } from '../../messages.ts'
import type { Context } from '../method.ts'
import { reasonOf } from './reverts.ts'

/** `gasUsed` and `block`, its number, are of the receipt. */
export type FailedReceipt = { gasUsed: bigint; block: bigint }

const callOf = (raw: Hex, from: Hex) => {
  const { to, value, data, gas } = decodeTransaction(raw).transaction
  return { from, ...(to && { to }), value: fromQuantity(value), data, gas: fromQuantity(gas) }
}

/**
 * Does it again at the end of its block, and where it works there, at the end of the block before. A node that keeps no
 * state of then gives no reason.
 */
export const explainFailure = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  raw: Hex,
  from: Hex,
  { gasUsed, block }: FailedReceipt,
): Promise<ActivityFailure> => {
  const call = callOf(raw, from)
  // All of the gas used means that it was too little, or that the contract burned it: both are mended by no reason.
  if (gasUsed === toQuantity(call.gas)) return { name: 'outOfGas', reason: null }
  for (const at of block > 0n ? [block, block - 1n] : [block]) {
    try {
      await chain(network, 'eth_call', [call, fromQuantity(at)])
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== undefined) return { name: 'reverted', reason }
    }
  }
  return { name: 'reverted', reason: null }
}
