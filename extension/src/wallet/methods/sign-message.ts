/** What personal_sign and chain_sign share: they differ in the order of their params and in the network's name. */
import { fromBytes, type Hex, toBytes } from '@heliograph/shared/evm/hex'
import { signMessage } from '@heliograph/shared/evm/message'
import type { SignParams } from '@heliograph/shared/wire/node-methods'
import { type Context, requireAccount, signWith } from '../method.ts'
import type { Draft, WalletRequest } from '../requests.ts'
import { reviewMessage } from '../review/message.ts'

type Payload = { message: Hex; networkName: string }

export const prepareMessage = async (context: Context, params: SignParams, networkName: string): Promise<Draft> => {
  const account = await requireAccount(context, params.account)
  const payload: Payload = { message: fromBytes(params.message), networkName }
  return { account, payload, ...reviewMessage(params.message, networkName) }
}

export const actOnMessage = async (context: Context, request: WalletRequest): Promise<Hex> => {
  const { message, networkName } = request.payload as Payload
  return signWith(context, request, key => signMessage(toBytes(message), networkName, key))
}
