/** Shared by personal_sign and chain_sign, which differ in the order of their params and in the network's name. */
import { fromBytes, type Hex, show, toBytes } from '@heliograph/shared/evm/hex'
import { signMessage } from '@heliograph/shared/evm/message'
import type { SignParams } from '@heliograph/shared/wire/node-methods'
import { type Context, requireAccount, signWith } from '../requests/context.ts'
import type { Draft, WalletRequest } from '../requests/requests.ts'
import { reviewMessage } from '../review/message.ts'
import { rpcError } from '../text/errors.ts'

type Payload = { message: Hex; networkName: string }

export const prepareMessage = async (context: Context, params: SignParams, networkName: string): Promise<Draft> => {
  const account = await requireAccount(context, params.account)
  const payload: Payload = { message: fromBytes(params.message), networkName }
  const { origin, network, safety, now } = context
  const registrableDomain = await context.registrableDomain()
  const facts = { origin, account, chainId: network.chainId, now: now(), registrableDomain }
  const { effect, findings, foreign } = reviewMessage(params.message, networkName, facts)
  const { allowsUnreadable, allowsForeignSignIn } = await safety.read()
  if (effect.text === null && !allowsUnreadable) throw rpcError('userRejected', 'unreadableData')
  if (foreign !== null && !allowsForeignSignIn)
    throw rpcError('invalidParams', 'messageForOther', { named: show(foreign), origin })
  return { account, payload, effect, findings }
}

export const actOnMessage = async (context: Context, request: WalletRequest): Promise<Hex> => {
  const { message, networkName } = request.payload as Payload
  return signWith(context, request, key => signMessage(toBytes(message), networkName, key))
}
