/**
 * The fee that an OP Stack chain charges, in addition to gas, for publishing a transaction's data on its L1:
 * https://docs.optimism.io/stack/transactions/fees
 */
import { encodeBytesArguments } from '@heliograph/shared/evm/abi-encode'
import { decodeData, encodeData, type Hex, isHex } from '@heliograph/shared/evm/hex'
import { encodeTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import { type Chain, chainUntil } from '../networks/node.ts'
import { opStackChains } from './op-stack.ts'

/** GasPriceOracle, a predeploy with this address on every OP Stack chain. */
const ORACLE = '0x420000000000000000000000000000000000000F'
/** `getL1Fee(bytes)`, for an unsigned transaction. The contract adds the signature. */
const FEE = '0x49948e0e'
/** `getL1FeeUpperBound(uint256)`, for the length of an unsigned transaction in bytes. */
const UPPER_BOUND = '0xf1c7a58b'
const WORD_DIGITS = 64

/**
 * Assumed maximum of the L1 fee, in multiples of the current fee: L1 prices may rise before the transaction is
 * included.
 */
const HEADROOM = 2n

/** Milliseconds to wait for the contract. After that the fee counts as unknown. */
const PATIENCE = 3_000

/** Parses a fee (uint256). Null if it is malformed. */
const feeIn = (answer: unknown): bigint | null =>
  isHex(answer) && answer.length === 2 + WORD_DIGITS ? BigInt(answer) : null

/**
 * Returns the L1 fee of the transaction that `make` builds, in wei at current prices. Null if the chain's contract does
 * not answer; undefined on a chain without this fee. The contract's upper bound is only a fallback, because it assumes
 * incompressible data and can be several times too high. Never throws because of the node, and waits only briefly for
 * it.
 */
export const readL1Fee = async (
  chain: Chain,
  network: Network,
  make: () => Transaction,
): Promise<bigint | null | undefined> => {
  if (!opStackChains.has(network.chainId)) return undefined
  const bytes = decodeData(encodeTransaction(make()))
  const inTime = chainUntil(chain, AbortSignal.timeout(PATIENCE))
  const read = async (data: Hex): Promise<bigint | null> =>
    feeIn(await inTime(network, 'eth_call', [{ to: ORACLE, data }, 'latest']).catch(() => null))
  const size = bytes.length.toString(16).padStart(WORD_DIGITS, '0')
  return (
    (await read(`${FEE}${encodeData(encodeBytesArguments(bytes)).slice(2)}`)) ?? (await read(`${UPPER_BOUND}${size}`))
  )
}

/**
 * Returns the L1 part of a mined transaction's fee, as stated in its receipt. Zero on other chains, where gas already
 * includes it, whatever the receipt states.
 */
export const paidL1Fee = ({ chainId }: Network, stated: bigint | null): bigint =>
  opStackChains.has(chainId) ? (stated ?? 0n) : 0n

/** Returns the maximum L1 fee of a transaction, in wei. Zero if the fee is unknown or the chain has none. */
export const highestL1Fee = (fee: bigint | null | undefined): bigint => (fee ?? 0n) * HEADROOM
