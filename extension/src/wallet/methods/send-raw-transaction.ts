/** chain_sendRawTransaction: hands a signed transaction to the node. It was signed elsewhere, so nobody is asked. */
import { rpcError } from '@heliograph/shared/errors'
import { decodeTransaction } from '@heliograph/shared/evm/transaction'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import { broadcast } from '../broadcast.ts'
import type { Answering } from '../method.ts'

/** What the interface answers for a transaction that the node took and did not name. */
const ZERO_HASH = `0x${'0'.repeat(64)}`

export const sendRawTransaction: Answering = {
  answer: async (context, params) => {
    const { chainId } = context.network
    const raw = parseParams(nodeSchemas.sendRawTransaction, params)
    const { transaction, signature } = decodeTransaction(raw)
    if (!signature) throw rpcError('invalidParams', 'The transaction is not signed')
    if (transaction.chainId !== undefined && transaction.chainId !== BigInt(chainId))
      throw rpcError(
        'invalidParams',
        `The transaction is for chain ${transaction.chainId}, the active chain is ${chainId}`,
      )
    return (await broadcast(context, raw)) ?? ZERO_HASH
  },
}
