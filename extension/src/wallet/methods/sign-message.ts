/**
 * `personal_sign`, and `sign` under each of the network's prefixes (`eth_sign`). Both sign a message with a fixed
 * prefix, so a transaction cannot pass for a message (EIP-191, version 0x45 on Ethereum). The methods differ in the
 * order of their params and, on some networks, in the network name that the prefix contains.
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeData, encodeData, type Hex } from '@heliograph/shared/evm/hex'
import { recoverMessage, signMessage } from '@heliograph/shared/evm/message'
import { show } from '@heliograph/shared/evm/value-error'
import { decodeMessage, nodeSchemas, type SignParams } from '@heliograph/shared/wire/node-methods'
import { parseParams, parseParamsOn } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { type Answering, type Asking, type Context, requireAccount, signWith } from '../requests/context.ts'
import type { Draft, WalletRequest } from '../requests/store.ts'
import { reviewMessage } from '../review/message.ts'
import { rpcError } from '../text/errors.ts'

type Payload = { message: Hex; networkName: string }

const prepareMessage = async (context: Context, params: SignParams, networkName: string): Promise<Draft> => {
  const account = await requireAccount(context, params.account)
  const payload: Payload = { message: encodeData(params.message), networkName }
  const { origin, network, safety, now } = context
  const registrableDomain = await context.registrableDomain()
  const claimed = await context.grants.claimedUrl(context.requester)
  const facts = { origin, claimed, account, chainId: network.chainId, now: now(), registrableDomain }
  const { effect, findings, foreign } = reviewMessage(params.message, networkName, facts)
  const { allowsUnreadable, allowsForeignSignIn } = await safety.read()
  if (effect.text === null && !allowsUnreadable) throw rpcError('userRejected', 'unreadableData')
  if (foreign !== null && !allowsForeignSignIn)
    throw rpcError('invalidParams', 'messageForOther', { named: show(foreign), origin })
  return { account, payload, effect, findings }
}

const actOnMessage = async (context: Context, request: WalletRequest): Promise<Hex> => {
  const { message, networkName } = request.payload as Payload
  return signWith(context, request, key => signMessage(decodeData(message), key, networkName))
}

/** Throws if both params are accounts of the site, because it is ambiguous which one signs. */
const assertOneOrder = async ({ requester, grants }: Context, { account, message }: SignParams) => {
  const hex = encodeData(message)
  const accounts = (await grants.siteOf(requester))?.accounts ?? []
  if (!sameAddress(hex, account) && accounts.some(other => sameAddress(hex, other)))
    throw rpcError('invalidParams', 'ambiguousMessage')
}

export const personalSign: Asking = {
  prepare: async (context, params) => {
    const asked = parseParamsOn(context.network.chainId, params, nodeSchemas.personal_sign)
    const draft = await prepareMessage(context, asked, context.network.signedMessageNames.personal_sign)
    // Checked after `requireAccount`, so that a request for an account without permission throws 4100 in either order
    // of the params, and is not called ambiguous.
    await assertOneOrder(context, asked)
    return draft
  },
  act: actOnMessage,
}

/** `chain_sign`, which takes the account first. */
export const sign: Asking = {
  prepare: (context, params) =>
    prepareMessage(
      context,
      parseParamsOn(context.network.chainId, params, nodeSchemas.sign),
      context.network.signedMessageNames.chain_sign,
    ),
  act: actOnMessage,
}

const RecoverParams = v.tuple([v.string(), v.string()])

/** personal_ecRecover: returns the account that signed a message with personal_sign on the site's network. */
export const ecRecover: Answering = {
  answer: async ({ network }, params) => {
    const [message, signature] = parseParams(params, RecoverParams)
    return recoverMessage(decodeMessage(message), signature, network.signedMessageNames.personal_sign).toLowerCase()
  },
}
