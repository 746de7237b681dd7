/** chain_sendTransaction: signs a transaction, keeps the signed bytes, sends them, and answers their hash. */
import type { Asking } from '../method.ts'
import { deliver, keepSigned } from '../transactions/delivery.ts'
import { editTransaction, prepareTransaction, signApproved } from './prepare-transaction.ts'

export const sendTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, params, 'send'),
  edit: (context, request, edit) => editTransaction(context, request, edit, 'send'),
  recall: async ({ activity }, key) => {
    const sent = (await activity.ofKey(key)).find(({ status }) => status !== 'dropped')
    return sent && { answer: sent.hash }
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      const signed = request.signed?.[0] ?? (await signApproved(context, request, 'send'))
      // Kept before the first broadcast: a worker that stops in between sends the same bytes again, never others.
      await keepSigned(context, request, [signed], 'pending')
      return deliver(context, signed)
    }),
}
