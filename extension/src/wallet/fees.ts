/** Gas, fees and nonces from the network's own node, for what a transaction request leaves open. */
import { RpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import { askQuantity, type Chain, isUnreachable, toNodeQuantity } from './chain.ts'

/** Used where gas cannot be estimated; the default of the interface document. */
export const DEFAULT_GAS = 90_000n
/** The tip where the node names none: 1 gwei. */
const DEFAULT_TIP = 1_000_000_000n

export type Call = Pick<TransactionRequest, 'from' | 'to' | 'value' | 'data' | 'accessList'>

/** The node's estimate, or the default and the node's reason why there is none. Throws 4901. */
export const estimateGas = async (
  chain: Chain,
  network: Network,
  call: Call,
): Promise<{ gas: bigint; failure: string | null }> => {
  try {
    return { gas: await askQuantity(chain, network, 'eth_estimateGas', [call]), failure: null }
  } catch (error) {
    if (error instanceof RpcError && !isUnreachable(error)) return { gas: DEFAULT_GAS, failure: error.message }
    throw error
  }
}

/** Wei per gas as it costs now: the base fee and a tip, EIP-1559. Without a base fee, which is null, the tip is all. */
export type Fees = { baseFee: bigint | null; tip: bigint }

const readBaseFee = async (chain: Chain, network: Network): Promise<bigint | null> => {
  const block = await chain(network, 'eth_getBlockByNumber', ['latest', false])
  const fee = typeof block === 'object' && block !== null && 'baseFeePerGas' in block ? block.baseFeePerGas : null
  return fee === null || fee === undefined ? null : toNodeQuantity(network, 'baseFeePerGas', fee)
}

/** Asks what gas costs now. Throws 4901. */
export const readFees = async (chain: Chain, network: Network): Promise<Fees> => {
  const baseFee = await readBaseFee(chain, network)
  const tip =
    baseFee === null
      ? await askQuantity(chain, network, 'eth_gasPrice')
      : await askQuantity(chain, network, 'eth_maxPriorityFeePerGas').catch(() => DEFAULT_TIP)
  return { baseFee, tip }
}

/** The next nonce of an account, counting what waits in the node's pool. */
export const nextNonce = (chain: Chain, network: Network, address: string): Promise<bigint> =>
  askQuantity(chain, network, 'eth_getTransactionCount', [address, 'pending'])
