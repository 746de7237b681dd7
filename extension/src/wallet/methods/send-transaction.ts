/** chain_sendTransaction: signs a transaction, stores it, sends it and returns its hash. */
import type { Asking } from '../requests/context.ts'
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
      // Stored before the first broadcast, so that a restarted worker sends the same bytes.
      await keepSigned(context, request, [signed], 'pending')
      return deliver(context, signed)
    }),
}
