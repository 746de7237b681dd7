/**
 * chain_sign: like personal_sign, with the account first. The prefix is always added, so a transaction cannot pass for
 * a message.
 */
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type { Asking } from '../requests/context.ts'
import { actOnMessage, prepareMessage } from './sign-message.ts'

export const sign: Asking = {
  prepare: (context, params) =>
    prepareMessage(context, parseParams(nodeSchemas.sign, params), context.network.signedMessageNames.chain_sign),
  act: actOnMessage,
}
