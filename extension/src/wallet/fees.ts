/** Gas, fees and nonces from the network's own node, for what a transaction request leaves open. */
import { RpcError } from '@heliograph/shared/errors'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { askQuantity, type Chain, toNodeQuantity } from './chain.ts'

/** Used where gas cannot be estimated; the default of the interface document. */
export const DEFAULT_GAS = 90_000n
/** The base fee may double before the transaction is mined: six full blocks. */
const BASE_FEE_HEADROOM = 2n
/** The tip where the node names none: 1 gwei. */
const DEFAULT_PRIORITY_FEE = 1_000_000_000n
/** go-ethereum's code for a call that reverts; other nodes stay in the range of JSON-RPC's server errors. */
const REVERTED = 3

export type Call = { from: string; to?: string; value?: Hex; data?: Hex }

const failedInTheNode = (error: unknown): error is RpcError =>
  error instanceof RpcError && (error.code === REVERTED || (error.code <= -32000 && error.code >= -32099))

/** The node's estimate, or the default and the node's reason why there is none. Throws 4901. */
export const estimateGas = async (
  chain: Chain,
  network: Network,
  call: Call,
): Promise<{ gas: bigint; failure: string | null }> => {
  try {
    return { gas: await askQuantity(chain, network, 'eth_estimateGas', [call]), failure: null }
  } catch (error) {
    if (failedInTheNode(error)) return { gas: DEFAULT_GAS, failure: error.message }
    throw error
  }
}

/** Wei per gas: EIP-1559 fees where blocks have a base fee, else one price. `expected` is what it should cost now. */
export type Fees =
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; expected: bigint }
  | { type: 'legacy'; gasPrice: bigint; expected: bigint }

/** Null where the network has no base fee. */
export const baseFee = async (chain: Chain, network: Network): Promise<bigint | null> => {
  const block = await chain(network, 'eth_getBlockByNumber', ['latest', false])
  const fee = typeof block === 'object' && block !== null && 'baseFeePerGas' in block ? block.baseFeePerGas : null
  return fee === null || fee === undefined ? null : toNodeQuantity(network, 'baseFeePerGas', fee)
}

export const suggestFees = async (chain: Chain, network: Network): Promise<Fees> => {
  const base = await baseFee(chain, network)
  if (base === null) {
    const gasPrice = await askQuantity(chain, network, 'eth_gasPrice')
    return { type: 'legacy', gasPrice, expected: gasPrice }
  }
  const tip = await askQuantity(chain, network, 'eth_maxPriorityFeePerGas').catch(() => DEFAULT_PRIORITY_FEE)
  return {
    type: 'eip1559',
    maxFeePerGas: base * BASE_FEE_HEADROOM + tip,
    maxPriorityFeePerGas: tip,
    expected: base + tip,
  }
}

/** The next nonce of an account, counting what waits in the node's pool. */
export const nextNonce = (chain: Chain, network: Network, address: string): Promise<bigint> =>
  askQuantity(chain, network, 'eth_getTransactionCount', [address, 'pending'])
