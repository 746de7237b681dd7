/**
 * Reads that are passed to the network's node unchanged. Only listed methods reach the node. The names are those of
 * https://github.com/ethereum/execution-apis, and the methods for uncles of older nodes.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { type Answering, type Context, siteNetwork } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'

/** Bare names, sent to the node with the prefix `eth_`. None of them uses the node's keys or changes its state. */
export const readNames = [
  'baseFee',
  'blobBaseFee',
  'blockNumber',
  'call',
  'capabilities',
  'config',
  'createAccessList',
  'estimateGas',
  'feeHistory',
  'fillTransaction',
  'gasPrice',
  'getBalance',
  'getBlockAccessList',
  'getBlockByHash',
  'getBlockByNumber',
  'getBlockReceipts',
  'getBlockTransactionCountByHash',
  'getBlockTransactionCountByNumber',
  'getCode',
  'getLogs',
  'getProof',
  'getStorageAt',
  'getStorageValues',
  'getTransactionByBlockHashAndIndex',
  'getTransactionByBlockNumberAndIndex',
  'getTransactionByHash',
  'getTransactionCount',
  'getTransactionReceipt',
  'getUncleByBlockHashAndIndex',
  'getUncleByBlockNumberAndIndex',
  'getUncleCountByBlockHash',
  'getUncleCountByBlockNumber',
  'maxPriorityFeePerGas',
  'simulateV1',
  'syncing',
] as const

/** Methods that create a filter on the node, and methods that read one by its id. */
export const filterMakers = ['newBlockFilter', 'newFilter', 'newPendingTransactionFilter'] as const
export const filterUsers = ['getFilterChanges', 'getFilterLogs'] as const

const ask = ({ chain, network }: Context, method: string, params: unknown = []): Promise<unknown> => {
  if (!Array.isArray(params)) throw rpcError('invalidParams', 'paramNot', { place: 'params', wanted: 'an array' })
  return chain(network, method, params)
}

/** `method` is the name on the node. */
export const readOf = (method: string): Answering => ({
  readsNodeOf: siteNetwork,
  answer: async (context, params) => ask(context, method, params),
})

export const filterMakerOf = (method: string): Answering => ({
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const id = await ask(context, method, params)
    const { origin, network } = context
    if (typeof id === 'string') await context.filters.note({ origin, chainId: network.chainId, id })
    return id
  },
})

/** The params that name a filter of the site, without further ones. Undefined if the site did not create it. */
const ownFilter = async ({ origin, network: { chainId }, filters }: Context, params: unknown) => {
  const id: unknown = Array.isArray(params) ? params[0] : undefined
  return typeof id === 'string' && (await filters.has({ origin, chainId, id })) ? [id] : undefined
}

/** Throws -32000, like nodes for an unknown id, unless the site created the filter. */
export const filterUserOf = (method: string): Answering => ({
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const filter = await ownFilter(context, params)
    if (!filter) throw rpcError('invalidInput', 'filterNotFound')
    return ask(context, method, filter)
  },
})

/** The error of nodes for an unknown id, where they do not answer `false`. */
const [NOT_FOUND] = errorCodes.invalidInput

/**
 * Removes a filter of the site. False if there is none: a filter that the site did not create, that the node has dropped, or that
 * was removed before.
 */
export const uninstallFilter: Answering = {
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const filter = await ownFilter(context, params)
    if (!filter) return false
    try {
      return await ask(context, 'eth_uninstallFilter', filter)
    } catch (thrown) {
      if (thrown instanceof RpcError && thrown.code === NOT_FOUND) return false
      throw thrown
    }
  },
}
