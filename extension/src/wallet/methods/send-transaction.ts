/** chain_sendTransaction: signs a transaction, keeps the signed bytes, sends them, and answers their hash. */
import type { Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type { Asking, Context } from '../method.ts'
import { signFilled } from '../transaction.ts'
import { prepareTransaction } from './prepare-transaction.ts'

/**
 * Sends bytes that may have been sent before. The hash is known from the bytes; a node that refuses a transaction which
 * it already has, or which is mined, has taken it.
 */
const broadcast = async ({ chain, network }: Context, signed: Hex): Promise<Hex> => {
  const hash = hashTransaction(signed)
  try {
    await chain(network, 'eth_sendRawTransaction', [signed])
  } catch (refusal) {
    const known = await chain(network, 'eth_getTransactionByHash', [hash]).catch(() => null)
    if (known === null) throw refusal
  }
  return hash
}

export const sendTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, parseParams(nodeSchemas.sendTransaction, params), 'send'),
  act: (context, request) =>
    context.sendInTurn(async () => {
      const signed = request.signed ?? (await signFilled(context, request))
      // Kept before the first broadcast: a worker that stops in between sends the same bytes again, never others.
      if (!request.signed) await context.requests.keepSigned(request.key, signed)
      return broadcast(context, signed)
    }),
}
