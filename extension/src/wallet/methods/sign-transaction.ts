/**
 * `signTransaction` under each prefix: signs a transaction and returns the bytes to the site, which may send them
 * later. The wallet stores them too, so the user can see, send, cancel or discard the transaction.
 */
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Activity } from '../activity/activity.ts'
import type { Asking } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'
import { signOnce } from '../transactions/delivery.ts'
import { editTransaction, prepareTransaction, signApproved } from './prepare-transaction.ts'

/**
 * Returns the signed bytes. Throws -32002 if the transaction is settled: signing again would create a second
 * transaction.
 */
const bytesOf = (signed: Activity | undefined): Hex => {
  if (signed?.raw) return signed.raw
  throw rpcError('resourceUnavailable', 'signedBefore')
}

export const signTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, params, 'sign'),
  edit: (context, request, edit) => editTransaction(context, request, edit, 'sign'),
  recall: async ({ activity }, key) => {
    const signed = (await activity.ofKey(key)).find(({ status }) => status !== 'dropped')
    return signed && { answer: bytesOf(signed) }
  },
  act: (context, request) =>
    context.sendInTurn(async () => {
      const { hashes } = await signOnce(context, request, 'signed', () => signApproved(context, request, 'sign'))
      return bytesOf(await context.activity.find(hashes[0] as Hex))
    }),
}
