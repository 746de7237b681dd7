/** Reads that go to the network's node as they are. What is not in the list does not reach it. */
import { rpcError } from '@heliograph/shared/errors'
import type { Answering } from '../method.ts'

/** Bare names, asked of the node under `eth_`. None of them uses the node's own keys or changes its state. */
export const readNames = [
  'blobBaseFee',
  'blockNumber',
  'call',
  'createAccessList',
  'estimateGas',
  'feeHistory',
  'gasPrice',
  'getBalance',
  'getBlockByHash',
  'getBlockByNumber',
  'getBlockReceipts',
  'getBlockTransactionCountByHash',
  'getBlockTransactionCountByNumber',
  'getCode',
  'getFilterChanges',
  'getFilterLogs',
  'getLogs',
  'getProof',
  'getStorageAt',
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
  'newBlockFilter',
  'newFilter',
  'syncing',
  'uninstallFilter',
] as const

export const readOf = (name: string): Answering => ({
  answer: async ({ chain, network }, params = []) => {
    if (!Array.isArray(params)) throw rpcError('invalidParams', 'params: must be an array')
    return chain(network, `eth_${name}`, params)
  },
})
