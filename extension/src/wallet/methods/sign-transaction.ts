/**
 * chain_signTransaction: signs a transaction and hands the bytes to the site, which may send them later. The wallet keeps
 * them too, so that the person sees what is signed and not sent, and can send it, cancel it or let it lapse.
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Asking } from '../method.ts'
import { keepSigned } from '../transactions/delivery.ts'
import { editTransaction, prepareTransaction, signApproved } from './prepare-transaction.ts'

export const signTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, params, 'sign'),
  edit: (context, request, edit) => editTransaction(context, request, edit, 'sign'),
  recall: async ({ activity }, key) => {
    const signed = (await activity.ofKey(key)).find(({ status }) => status !== 'dropped')
    if (!signed) return undefined
    // Signed once more it would be another transaction, beside the one whose bytes are out already.
    if (signed.raw === null)
      throw rpcError('resourceUnavailable', 'The transaction was signed before, and its bytes are no longer kept')
    return { answer: signed.raw }
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      const signed = request.signed?.[0] ?? (await signApproved(context, request, 'sign'))
      // Kept before it is handed over: a worker that stops in between hands over the same bytes, never others.
      await keepSigned(context, request, [signed], 'signed')
      return signed
    }),
}
