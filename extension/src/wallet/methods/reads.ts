/**
 * Reads that are forwarded to the network's node unchanged. Only listed methods reach the node. The names are from
 * https://github.com/ethereum/execution-apis, plus older nodes' methods for uncles.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { networkOfSite, onBehalfOf, readersOf } from '../networks/node-uses.ts'
import { type Answering, type Context, siteNetwork } from '../requests/context.ts'
import { rpcError } from '../text/errors.ts'

/**
 * Bare names, sent to the node with the prefix `eth_`. None of these methods uses the node's keys or changes its state.
 */
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

/** Methods that create a filter on the node. The methods below read a filter by its id. */
export const filterMakers = ['newBlockFilter', 'newFilter', 'newPendingTransactionFilter'] as const
export const filterUsers = ['getFilterChanges', 'getFilterLogs'] as const

/** Returns the site's accounts, its first one first. */
const accountsOf = async ({ grants, requester }: Context): Promise<readonly string[]> =>
  (await grants.siteOf(requester))?.accounts ?? []

const ask = async (context: Context, method: string, params: unknown = []): Promise<unknown> => {
  if (!Array.isArray(params)) throw rpcError('invalidParams', 'paramNot', { place: 'params', wanted: 'an array' })
  const { chain, network } = context
  if (!network.nodeUses) return chain(network, method, params)
  return chain(networkOfSite(network, await accountsOf(context), params), method, params)
}

/** Forwards a read. `method` is the full name on the node. */
export const readOf = (method: string): Answering => ({
  readsNodeOf: siteNetwork,
  answer: async (context, params) => ask(context, method, params),
})

/**
 * Throws -32000 if a filter names accounts whose nodes the site's later calls, which only name the filter, do not reach.
 */
export const assertOwnNode = async (context: Context, filter: unknown): Promise<void> => {
  const { network } = context
  if (!network.nodeUses) return
  const accounts = await accountsOf(context)
  const wanted = readersOf(networkOfSite(network, accounts, [filter]))
  if (wanted.join(' ') !== readersOf(onBehalfOf(network, accounts[0] ?? null)).join(' '))
    throw rpcError('invalidInput', 'nodesApart', { network: network.title })
}

export const filterMakerOf = (method: string): Answering => ({
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    await assertOwnNode(context, params)
    const id = await ask(context, method, params)
    const { origin, network } = context
    if (typeof id === 'string') await context.filters.note({ origin, chainId: network.chainId, id })
    return id
  },
})

/** Returns the filter id as the only param. Undefined if the site did not create the filter. */
const ownFilter = async ({ origin, network: { chainId }, filters }: Context, params: unknown) => {
  const id: unknown = Array.isArray(params) ? params[0] : undefined
  return typeof id === 'string' && (await filters.has({ origin, chainId, id })) ? [id] : undefined
}

/** Forwards a filter method. Throws -32000, as nodes do for an unknown id, unless the site created the filter. */
export const filterUserOf = (method: string): Answering => ({
  readsNodeOf: siteNetwork,
  answer: async (context, params) => {
    const filter = await ownFilter(context, params)
    if (!filter) throw rpcError('invalidInput', 'filterNotFound')
    return ask(context, method, filter)
  },
})

/** Error of nodes that do not return `false` for an unknown id. */
const [NOT_FOUND] = errorCodes.invalidInput

/**
 * Removes a site's filter. Returns false if it does not exist: the site did not create it, the node has dropped it, or
 * it was removed before.
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
