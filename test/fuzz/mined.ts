/** Executes calls as transactions in blocks, which are reverted afterwards. */
import { PROPOSER } from './addresses.ts'
import type { Rpc } from './node.ts'
import { GAS_LIMIT, type Mined } from './signs.ts'

const BLOCK_TIME = 12
const PLENTY = '0x1e8480'
/**
 * Base fee of the blocks: 1 gwei. If it were not set, the node would continue from the base fee of the reverted blocks.
 */
const BASE_FEE = '0x3b9aca00'

type Transaction = { to: string; value: bigint; data: string; gas?: string; fees?: Readonly<Record<string, string>> }
/** `time` is the latest block's, in seconds. */
type Course = { actor: string; acts: readonly Transaction[]; mined: Mined; time: number }

const quantity = (value: bigint | number) => `0x${value.toString(16)}`

/**
 * Sends a transaction and mines a block. A transaction that the node refuses has no effect. The node does not mine by
 * itself.
 */
const send = async (rpc: Rpc, from: string, { to, value, data, gas = PLENTY, fees }: Transaction) => {
  const transaction = { from, to, value: quantity(value), data, gas, ...fees }
  await rpc('eth_sendTransaction', [transaction]).catch(() => null)
  await rpc('evm_mine', [])
}

/** Executes the transactions, returns the result of `read`, and reverts the chain. */
export const executeMined = async <T>(
  rpc: Rpc,
  { actor, acts, mined, time }: Course,
  read: () => Promise<T>,
): Promise<T> => {
  const { blocks, late = 0, gasLimit, proposer } = mined
  const snapshot = await rpc('evm_snapshot', [])
  try {
    if (gasLimit !== undefined) await rpc('evm_setBlockGasLimit', [quantity(gasLimit)])
    if (proposer !== undefined) await rpc('anvil_setCoinbase', [proposer])
    if (blocks > 1) {
      await rpc('evm_setNextBlockTimestamp', [time + BLOCK_TIME])
      await rpc('anvil_mine', [quantity(blocks - 1), quantity(BLOCK_TIME)])
    }
    for (const [at, act] of acts.entries()) {
      await rpc('evm_setNextBlockTimestamp', [time + BLOCK_TIME * (blocks + at) + late])
      await rpc('anvil_setNextBlockBaseFeePerGas', [BASE_FEE])
      await send(rpc, actor, act)
    }
    return await read()
  } finally {
    if (gasLimit !== undefined) await rpc('evm_setBlockGasLimit', [quantity(GAS_LIMIT)])
    if (proposer !== undefined) await rpc('anvil_setCoinbase', [PROPOSER])
    await rpc('anvil_dropAllTransactions', [])
    await rpc('evm_revert', [snapshot])
  }
}
