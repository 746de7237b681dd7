/** `sendTransaction` under each prefix, such as `eth_sendTransaction`: signs a transaction, stores it, sends it and returns its hash. */
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Asking } from '../requests/context.ts'
import { signOnce } from '../transactions/delivery.ts'
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
      const signed = await signOnce(context, request, 'pending', () => signApproved(context, request, 'send'))
      return signed.deliver(context, signed.hashes[0] as Hex)
    }),
}
