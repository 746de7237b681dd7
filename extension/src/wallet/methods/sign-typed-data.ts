/** chain_signTypedData: signs structured data, EIP-712 in the form of its version 4. https://eips.ethereum.org/EIPS/eip-712 */
import { rpcError } from '@heliograph/shared/errors'
import { sameAddress } from '@heliograph/shared/evm/address'
import { parseTypedData, signTypedData as sign, type TypedData } from '@heliograph/shared/evm/typed-data'
import { nodeSchemas } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import { type Asking, type Context, requireAccount, signWith } from '../method.ts'
import { reviewTypedData } from '../review/typed-data.ts'

/** A signature for another chain than the one the site is on would not be what the person sees. */
const assertChain = ({ network }: Context, { domain }: TypedData) => {
  if (domain.chainId === undefined || BigInt(String(domain.chainId)) === BigInt(network.chainId)) return
  throw rpcError(
    'invalidParams',
    `The typed data is for chain ${domain.chainId}, the active chain is ${network.chainId}`,
  )
}

/** An own account is no contract: what names it as one was made to mislead. */
const assertContract = async ({ sites, origin }: Context, { domain }: TypedData) => {
  const contract = domain.verifyingContract
  const accounts = (await sites.get(origin))?.accounts ?? []
  if (typeof contract === 'string' && accounts.some(account => sameAddress(account, contract)))
    throw rpcError('invalidParams', 'domain.verifyingContract is an account of this wallet, not a contract')
}

export const signTypedData: Asking = {
  prepare: async (context, params) => {
    const { account: asked, data } = parseParams(nodeSchemas.signTypedData, params)
    const account = await requireAccount(context, asked)
    const typedData = parseTypedData(data)
    assertChain(context, typedData)
    await assertContract(context, typedData)
    return { account, payload: data, ...reviewTypedData(typedData) }
  },
  act: (context, request) => signWith(context, request, key => sign(parseTypedData(request.payload), key)),
}
