/**
 * wallet_getCapabilities: returns which batch features an account has on each network. Like eth_accounts, it also works
 * while the wallet is locked. https://eips.ethereum.org/EIPS/eip-5792
 */
import { RpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { nodeValues, parseParamsOn } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { chainUntil } from '../networks/node.ts'
import { type Answering, type Context, requireAccount } from '../requests/context.ts'
import { chainIdValue } from '../text/values.ts'
import { type Atomicity, readAtomicity } from '../transactions/atomicity.ts'
import { PATIENCE } from '../transactions/in-time.ts'

const MAX_CHAINS = 100
const Params = v.tuple([
  nodeValues.address,
  v.nullish(v.pipe(v.array(chainIdValue), v.maxLength(MAX_CHAINS, `must have at most ${MAX_CHAINS} chains`))),
])

/** Returns `unsupported` for a network without a node, and if the node does not answer in time. */
const statusOn = async (context: Context, network: Network, account: Address): Promise<Atomicity['status']> => {
  if (network.rpcUrls.length === 0) return 'unsupported'
  const chain = chainUntil(context.chain, AbortSignal.timeout(PATIENCE))
  try {
    return (await readAtomicity({ ...context, chain, network }, account)).status
  } catch (error) {
    if (error instanceof RpcError) return 'unsupported'
    throw error
  }
}

export const getCapabilities: Answering = {
  answer: async (context, params) => {
    const [address, asked] = parseParamsOn(context.network.chainId, params, Params)
    const account = await requireAccount(context, address)
    const networks = (await context.networks.list()).filter(({ chainId }) => asked?.includes(chainId) ?? true)
    const capabilities = networks.map(async network => {
      const status = await statusOn(context, network, account)
      return [encodeQuantity(network.chainId), { atomic: { status } }] as const
    })
    return Object.fromEntries(await Promise.all(capabilities))
  },
}
