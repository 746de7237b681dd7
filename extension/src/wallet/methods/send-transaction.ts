/** chain_sendTransaction: signs a transaction, keeps the signed bytes, sends them, and answers their hash. */
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import { broadcast } from '../broadcast.ts'
import type { Asking } from '../method.ts'
import { signFilled } from '../transaction.ts'
import { prepareTransaction } from './prepare-transaction.ts'

export const sendTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, parseParams(nodeSchemas.sendTransaction, params), 'send'),
  act: (context, request) =>
    context.sendInTurn(async () => {
      const signed = request.signed ?? (await signFilled(context, request))
      // Kept before the first broadcast: a worker that stops in between sends the same bytes again, never others.
      if (!request.signed) await context.requests.keepSigned(request.key, signed)
      await broadcast(context, signed)
      // Known from the bytes: what the node calls it does not matter.
      return hashTransaction(signed)
    }),
}
