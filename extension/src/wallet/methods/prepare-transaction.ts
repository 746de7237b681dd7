/** What chain_sendTransaction and chain_signTransaction share: both sign one transaction, and only the first sends it. */
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import { type Context, requireAccount } from '../method.ts'
import type { Draft } from '../requests.ts'
import { reviewTransaction } from '../review/transaction.ts'
import { fillTransaction, toTransaction } from '../transaction.ts'

/** Stands in for a nonce that is taken only when the transaction is signed. */
const ANY_NONCE = 0n

export const prepareTransaction = async (
  context: Context,
  request: TransactionRequest,
  purpose: 'sign' | 'send',
): Promise<Draft> => {
  const account = await requireAccount(context, request.from)
  const filled = await fillTransaction(context, request)
  // What could not be signed is refused now, before the person is asked.
  toTransaction(filled.transaction, ANY_NONCE)
  return { account, payload: filled.transaction, ...reviewTransaction(filled, purpose) }
}
