/** Hands signed transactions to the network's node, as often as it takes. */
import { RpcError, rpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { isUnreachable } from '../chain.ts'
import type { Context } from '../method.ts'

/** How nodes refuse what they have already. */
const HAS_IT = /already ?known|known transaction|already imported|already exists/i

/** Whether the node has it. Throws 4901 when it does not tell; one that cannot look it up has it not. */
const isThere = async ({ chain, network }: Pick<Context, 'chain' | 'network'>, hash: Hex): Promise<boolean> => {
  try {
    return (await chain(network, 'eth_getTransactionByHash', [hash])) !== null
  } catch (error) {
    if (isUnreachable(error)) throw error
    return false
  }
}

/**
 * Sends signed bytes, which may have been sent before: a node that refuses what it already has, or what is mined, has
 * taken it. Resolves with what the node says, or the hash where it was taken before. Throws the node's refusal, or 4901
 * with the hash when the node does not tell.
 */
export const broadcast = async (parts: Pick<Context, 'chain' | 'network'>, signed: Hex): Promise<unknown> => {
  const { chain, network } = parts
  try {
    return await chain(network, 'eth_sendRawTransaction', [signed])
  } catch (refusal) {
    const hash = hashTransaction(signed)
    if (refusal instanceof RpcError && HAS_IT.test(refusal.message)) return hash
    const known = await isThere(parts, hash).catch(() => undefined)
    if (known) return hash
    if (known === false && !isUnreachable(refusal)) throw refusal
    const message = `The ${network.title} RPC did not say whether it took the transaction ${hash}. It may still be mined.`
    throw rpcError('chainDisconnected', message, { hash })
  }
}
