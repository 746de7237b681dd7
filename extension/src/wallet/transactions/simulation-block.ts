/** The block in which a transaction is simulated, and the overrides that make a node use it. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { encodeData, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Fees } from '../fees/fees.ts'

/** `base` is the block whose state is used. `time` is in Unix seconds. Null values are left to the node. */
export type SimulatedBlock = {
  base: 'latest' | Hex
  number: bigint | null
  time: bigint | null
  gasLimit: bigint | null
  baseFee: bigint | null
  feeRecipient: Address
  /**
   * The same in both runs, so that a contract whose result depends on chance is not mistaken for a contract that
   * detects the simulation.
   */
  prevRandao: Hex
}

const BLOCK_TIME = 12n
/**
 * Distance from the next block to the other block, in blocks and in seconds: 3 blocks and 5 slots. Both numbers are
 * odd, so a contract that depends on parity behaves differently. They are not equal, so the other block does not fit a
 * chain with one block per slot.
 */
const OTHER_BLOCKS = 3n
const OTHER_TIME = 60n
const OTHER_GAS_LIMIT = 36_000_000n
/** Fee recipients of large block builders, which do not reveal the simulation to a contract. */
const BUILDERS = ['0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97', '0x95222290DD7278Aa3Ddd389Cc1E1d165CC4BAfe5'] as const
const ZERO = `0x${'0'.repeat(40)}`
const RANDOM_BYTES = 32

/** Returns the block after the latest one. */
export const nextBlock = ({ baseFee, blockGas, block: { number, time, miner } = {} }: Fees): SimulatedBlock => ({
  base: number === undefined ? 'latest' : encodeQuantity(number),
  number: number === undefined ? null : number + 1n,
  time: time === undefined ? null : time + BLOCK_TIME,
  gasLimit: blockGas,
  baseFee,
  feeRecipient: miner === undefined || miner === ZERO ? BUILDERS[0] : miner,
  prevRandao: encodeData(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))),
})

/** Returns the other block's gas limit: a tenth lower, or a tenth higher if the calls need more gas. */
const otherGasLimit = (gasLimit: bigint | null, gas: bigint): bigint => {
  if (gasLimit === null) return OTHER_GAS_LIMIT
  const lower = (gasLimit * 10n) / 11n
  return lower < gas ? (gasLimit * 11n) / 10n : lower
}

/** Returns a later block on the same state, for a second run. `gas` is the sum of the calls' gas limits. */
export const otherBlock = (block: SimulatedBlock, gas: bigint): SimulatedBlock => ({
  ...block,
  number: block.number === null ? null : block.number + OTHER_BLOCKS,
  time: block.time === null ? null : block.time + OTHER_TIME,
  gasLimit: otherGasLimit(block.gasLimit, gas),
  feeRecipient: sameAddress(block.feeRecipient, BUILDERS[1]) ? BUILDERS[0] : BUILDERS[1],
})

const quantities = (values: Readonly<Record<string, bigint | null>>): Record<string, Hex> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, encodeQuantity(value)]])),
  )

/** Converts the block for debug_traceCall: https://geth.ethereum.org/docs/interacting-with-geth/rpc/ns-debug */
export const traceOverrides = ({ number, time, gasLimit, baseFee, feeRecipient }: SimulatedBlock) => ({
  ...quantities({ number, time, gasLimit, baseFeePerGas: baseFee }),
  feeRecipient,
})

/**
 * Converts the block for eth_simulateV1. Its default `prevRandao` is zero, which would reveal the simulation to a
 * contract.
 */
export const simulateOverrides = (block: SimulatedBlock) => ({
  ...traceOverrides(block),
  prevRandao: block.prevRandao,
})
