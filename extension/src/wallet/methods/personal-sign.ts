/** personal_sign: signs a message under the network's prefix. EIP-191, version 0x45 where the network is Ethereum. */
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type { Asking } from '../method.ts'
import { actOnMessage, prepareMessage } from './sign-message.ts'

export const personalSign: Asking = {
  prepare: (context, params) =>
    prepareMessage(
      context,
      parseParams(nodeSchemas.personal_sign, params),
      context.network.signedMessageNames.personal_sign,
    ),
  act: actOnMessage,
}
