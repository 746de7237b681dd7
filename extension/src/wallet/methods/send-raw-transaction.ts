/**
 * chain_sendRawTransaction: sends a signed transaction to the node. It was approved when it was signed, so the user is
 * not asked.
 */
import type { Hex } from '@heliograph/shared/evm/hex'
import { decodeTransaction, hashTransaction } from '@heliograph/shared/evm/transaction'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import { type Answering, type Context, siteNetwork } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'
import { broadcast } from '../transactions/broadcast.ts'

/** Result if the node accepted a transaction without returning its hash. */
const ZERO_HASH = `0x${'0'.repeat(64)}`

/** Marks a transaction as pending if this wallet signed it. */
const noteSent = async ({ activity, now }: Context, hash: Hex) => {
  const signed = await activity.find(hash)
  if (signed?.raw) await activity.change(hash, { status: 'pending', sentAt: now(), failure: null, settledAt: null })
}

export const sendRawTransaction: Answering = {
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const { chainId } = context.network
    const raw = parseParams(params, nodeSchemas.sendRawTransaction)
    const { transaction, signature } = decodeTransaction(raw)
    if (!signature) throw rpcError('invalidParams', 'rawNotSigned')
    if (transaction.chainId !== undefined && transaction.chainId !== BigInt(chainId))
      throw rpcError('invalidParams', 'transactionOtherChain', { asked: String(transaction.chainId), active: chainId })
    const answer = (await broadcast(context, raw)) ?? ZERO_HASH
    await noteSent(context, hashTransaction(raw))
    return answer
  },
}
