/**
 * wallet_getCapabilities: returns which batch features the wallet supports on each network. Like eth_accounts, it also
 * works while the wallet is locked. https://eips.ethereum.org/EIPS/eip-5792
 */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { nodeValues, parseParamsOn } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { type Answering, requireAccount } from '../requests/context.ts'
import { chainIdValue } from '../text/values.ts'

const MAX_CHAINS = 100
const Params = v.tuple([
  nodeValues.address,
  v.nullish(v.pipe(v.array(chainIdValue), v.maxLength(MAX_CHAINS, `must have at most ${MAX_CHAINS} chains`))),
])

export const getCapabilities: Answering = {
  answer: async (context, params) => {
    const [address, asked] = parseParamsOn(context.network.chainId, params, Params)
    await requireAccount(context, address)
    const networks = (await context.networks.list()).filter(({ chainId }) => asked?.includes(chainId) ?? true)
    return Object.fromEntries(
      networks.map(({ chainId }) => [encodeQuantity(chainId), { atomic: { status: 'unsupported' } }]),
    )
  },
}
