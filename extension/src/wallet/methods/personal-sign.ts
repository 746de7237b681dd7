/** personal_sign: signs a message with the network's prefix. EIP-191, version 0x45 on Ethereum. */
import { sameAddress } from '@heliograph/shared/evm/address'
import { fromBytes } from '@heliograph/shared/evm/hex'
import { nodeSchemas, type SignParams } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import type { Asking, Context } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'
import { actOnMessage, prepareMessage } from './sign-message.ts'

/** If both params are accounts of the site, it is ambiguous which of them signs. */
const assertOneOrder = async ({ requester, grants }: Context, { account, message }: SignParams) => {
  const bytes = fromBytes(message)
  const accounts = (await grants.siteOf(requester))?.accounts ?? []
  if (!sameAddress(bytes, account) && accounts.some(other => sameAddress(bytes, other)))
    throw rpcError('invalidParams', 'ambiguousMessage')
}

export const personalSign: Asking = {
  prepare: async (context, params) => {
    const asked = parseParams(nodeSchemas.personal_sign, params)
    const draft = await prepareMessage(context, asked, context.network.signedMessageNames.personal_sign)
    await assertOneOrder(context, asked)
    return draft
  },
  act: actOnMessage,
}
