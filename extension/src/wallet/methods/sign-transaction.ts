/** chain_signTransaction: signs a transaction and hands the bytes to the site, which may send them later. */
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type { Asking } from '../method.ts'
import { signFilled } from '../transaction.ts'
import { prepareTransaction } from './prepare-transaction.ts'

export const signTransaction: Asking = {
  prepare: (context, params) => prepareTransaction(context, parseParams(nodeSchemas.signTransaction, params), 'sign'),
  act: (context, request) => context.sendInTurn(() => signFilled(context, request)),
}
