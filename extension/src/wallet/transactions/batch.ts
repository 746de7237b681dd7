/** Drafts a batch of calls: fills in each transaction, simulates them in order, and reviews them together. */
import { decodeQuantity, encodeQuantity } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { CallsEffect, Finding } from '../../messages.ts'
import { withMargin } from '../fees/fees.ts'
import type { Filled, FilledTransaction } from '../fees/filled.ts'
import { type Order, reviewCalls } from '../review/calls.ts'
import { reviewDestinations } from '../review/destinations.ts'
import { readTokens } from '../tokens/tokens.ts'
import { checkAddresses, outgoingCallsOf } from './address-checks.ts'
import type { DraftParts } from './draft.ts'
import { noncesInOrder } from './nonces.ts'
import { simulateInOrder } from './simulation.ts'
import { fillTransaction, readMarket, toTransaction } from './transaction.ts'

export type Batch = readonly [TransactionRequest, ...TransactionRequest[]]
export type DraftedBatch = {
  transactions: readonly FilledTransaction[]
  effect: CallsEffect
  findings: readonly Finding[]
}

/**
 * Gas limit of a call that cannot be estimated before the calls that precede it. Most calls after an approval need
 * less, and unused gas is not charged.
 */
const UNTRIED_GAS = 500_000n
const ANY_NONCE = 0n

/** Raises the gas limit if the call used more in the simulated sequence than alone. */
const withGasFor = (filled: Filled, used: bigint): Filled => {
  const { transaction, needed, ownGas } = filled
  const gas = withMargin(used, null)
  return {
    ...filled,
    ownGas: ownGas < gas ? gas : ownGas,
    transaction: decodeQuantity(transaction.gas) < gas ? { ...transaction, gas: encodeQuantity(gas) } : transaction,
    needed: needed !== null && needed > used ? needed : used,
  }
}

/** `used` is the call's gas in the simulated sequence, null if it was not simulated there or failed. */
const inItsPlace = (filled: Filled, at: number, used: bigint | null): Filled => {
  const { transaction, failure, ...rest } = filled
  if (at === 0) return filled
  if (failure === null) return used === null ? filled : withGasFor(filled, used)
  const wanted = used === null ? UNTRIED_GAS : withMargin(used, null)
  const ownGas = wanted > UNTRIED_GAS ? wanted : UNTRIED_GAS
  const placed = { ...transaction, gas: encodeQuantity(ownGas) }
  return { ...rest, ownGas, transaction: placed, needed: used, failure: used === null ? failure : null }
}

const callOf = ({ from, to, value = '0x0', data = '0x' }: TransactionRequest) => ({
  from,
  ...(to && { to }),
  value,
  data,
})

/**
 * Nonces of signed, unsent transactions that the batch takes. Empty if the node does not answer: the information is
 * optional.
 */
const displacedBy = async (parts: DraftParts, [{ from }, ...others]: Batch): Promise<Order['displaced']> => {
  try {
    await parts.chainResets.look(parts.network)
    return (await noncesInOrder(parts, from, others.length + 1)).displaced
  } catch {
    return []
  }
}

/** Throws like `fillTransaction`, and ValueError for values that a transaction cannot contain. */
export const draftBatch = async (parts: DraftParts, batch: Batch): Promise<DraftedBatch> => {
  const [first, ...others] = batch
  const outgoingCalls = batch.flatMap(outgoingCallsOf)
  const acts = outgoingCalls.flatMap(call => call.acts)
  const market = readMarket(parts)
  const [alone, sequence, displaced, tokens, facts] = await Promise.all([
    Promise.all(batch.map(request => fillTransaction(parts, request, market))),
    simulateInOrder(parts, [callOf(first), ...others.map(callOf)]),
    displacedBy(parts, batch),
    readTokens(parts, first.from, acts),
    checkAddresses(parts, outgoingCalls),
  ])
  const calls = alone.map((filled, at) => inItsPlace(filled, at, sequence?.used[at] ?? null))
  const transactions = calls.map(({ transaction }) => transaction)
  // Rejects calls that cannot be signed before the person is asked.
  for (const transaction of transactions) toTransaction(transaction, ANY_NONCE)
  const readOwn = await parts.interfaces.reader(parts.network.chainId)
  const order = { simulation: sequence?.view ?? null, displaced }
  const { effect, findings } = reviewCalls(calls, tokens, order, readOwn)
  return { transactions, effect, findings: [...findings, ...reviewDestinations(outgoingCalls, facts)] }
}
