/**
 * The fee that a chain of the OP Stack charges for a transaction's data on the chain below it, in addition to gas:
 * https://docs.optimism.io/stack/transactions/fees
 */
import { encodeBytesArguments } from '@heliograph/shared/evm/abi-encode'
import { decodeData, encodeData, type Hex, isHex } from '@heliograph/shared/evm/hex'
import { encodeTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import { type Chain, chainUntil } from '../networks/node.ts'
import { opStackChains } from './op-stack.ts'

/** GasPriceOracle, which every chain of the OP Stack has at this address. */
const ORACLE = '0x420000000000000000000000000000000000000F'
/** `getL1Fee(bytes)`, for an unsigned transaction. The contract adds the signature. */
const FEE = '0x49948e0e'
/** `getL1FeeUpperBound(uint256)`, for the length of an unsigned transaction in bytes. */
const UPPER_BOUND = '0xf1c7a58b'
const WORD_DIGITS = 64

/** The highest L1 fee in multiples of the current one: prices of the other chain may rise before the transaction is in a block. */
const HEADROOM = 2n

/** Milliseconds to wait for the contract. Afterwards the fee counts as unknown. */
const PATIENCE = 3_000

/** A fee of uint256, or null. */
const feeIn = (answer: unknown): bigint | null =>
  isHex(answer) && answer.length === 2 + WORD_DIGITS ? BigInt(answer) : null

/**
 * The L1 fee of the transaction that `make` returns, in wei at current prices. Null if the chain's contract does not answer;
 * undefined on a chain that has no such fee. The upper bound is only asked for if the fee itself is not answered: it takes the
 * data for incompressible, which can be several times too much. Never throws because of the node, and does not wait long
 * for it.
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

/** The part of a mined transaction's fee that its receipt states besides gas. Elsewhere gas includes it, whatever is stated. */
export const paidL1Fee = ({ chainId }: Network, stated: bigint | null): bigint =>
  opStackChains.has(chainId) ? (stated ?? 0n) : 0n

/** The L1 fee that a transaction may cost at most, in wei. Zero if it is unknown or there is none. */
export const highestL1Fee = (fee: bigint | null | undefined): bigint => (fee ?? 0n) * HEADROOM
