/** Hands signed transactions to the network's node, as often as it takes. */
import { rpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { isUnreachable } from './chain.ts'
import type { Context } from './method.ts'

/**
 * Sends signed bytes, which may have been sent before: a node that refuses what it already has, or what is mined, has
 * taken it. Resolves with what the node says, or the hash where it was taken before. Throws the node's refusal, or 4901
 * with the hash when the node does not tell.
 */
export const broadcast = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  signed: Hex,
): Promise<unknown> => {
  try {
    return await chain(network, 'eth_sendRawTransaction', [signed])
  } catch (refusal) {
    const hash = hashTransaction(signed)
    const known = await chain(network, 'eth_getTransactionByHash', [hash]).catch(() => null)
    if (known) return hash
    if (!isUnreachable(refusal)) throw refusal
    const message = `The ${network.title} RPC did not say whether it took the transaction ${hash}. It may still be mined.`
    throw rpcError('chainDisconnected', message, { hash })
  }
}
