/**
 * chain_signTransaction: signs a transaction and returns the bytes to the site, which may send them later. The wallet
 * stores them too, so that the person can see, send, cancel or discard them.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Asking } from '../requests/context.ts'
import { keepSigned } from '../transactions/delivery.ts'
import { editTransaction, prepareTransaction, signApproved } from './prepare-transaction.ts'

export const signTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, params, 'sign'),
  edit: (context, request, edit) => editTransaction(context, request, edit, 'sign'),
  recall: async ({ activity }, key) => {
    const signed = (await activity.ofKey(key)).find(({ status }) => status !== 'dropped')
    if (!signed) return undefined
    // Signing again would create a second transaction beside the one already returned.
    if (signed.raw === null)
      throw rpcError('resourceUnavailable', 'The transaction was signed before, and its bytes are no longer kept')
    return { answer: signed.raw }
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      const signed = request.signed?.[0] ?? (await signApproved(context, request, 'sign'))
      // Stored before it is returned, so that a restarted worker returns the same bytes.
      await keepSigned(context, request, [signed], 'signed')
      return signed
    }),
}
