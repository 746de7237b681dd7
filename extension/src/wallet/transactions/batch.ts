/** A batch of calls before it is signed: each filled in, tried in its order, and reviewed together. */
import { fromQuantity, toQuantity } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import type { CallsEffect, Finding } from '../../messages.ts'
import { type Order, reviewCalls } from '../review/calls.ts'
import { reviewDestinations } from '../review/destinations.ts'
import { readTokens } from '../tokens.ts'
import { destinedOf, readAddressFacts } from './address-facts.ts'
import type { DraftParts } from './draft.ts'
import { withMargin } from './fees.ts'
import { noncesInOrder } from './nonces.ts'
import { simulateInOrder } from './simulation.ts'
import { type Filled, type FilledTransaction, fillTransaction, readMarket, toTransaction } from './transaction.ts'

export type Batch = readonly [TransactionRequest, ...TransactionRequest[]]
export type DraftedBatch = {
  transactions: readonly FilledTransaction[]
  effect: CallsEffect
  findings: readonly Finding[]
}

/**
 * Gas of a call that cannot be tried out before those in front of it are done: most calls that follow an approval take
 * less. What is not used is not paid.
 */
const UNTRIED_GAS = 500_000n
const ANY_NONCE = 0n

/** A call that can be tried by itself may take more behind those before it. */
const withGasFor = (filled: Filled, used: bigint): Filled => {
  const { transaction, needed, ownGas } = filled
  const gas = withMargin(used, null)
  return {
    ...filled,
    ownGas: ownGas < gas ? gas : ownGas,
    transaction: toQuantity(transaction.gas) < gas ? { ...transaction, gas: fromQuantity(gas) } : transaction,
    needed: needed !== null && needed > used ? needed : used,
  }
}

/** `used` is the gas that it took behind those before it; null where it was not tried there, or failed. */
const inItsPlace = (filled: Filled, at: number, used: bigint | null): Filled => {
  const { transaction, failure, ...rest } = filled
  if (at === 0) return filled
  if (failure === null) return used === null ? filled : withGasFor(filled, used)
  const wanted = used === null ? UNTRIED_GAS : withMargin(used, null)
  const ownGas = wanted > UNTRIED_GAS ? wanted : UNTRIED_GAS
  const placed = { ...transaction, gas: fromQuantity(ownGas) }
  return { ...rest, ownGas, transaction: placed, needed: used, failure: used === null ? failure : null }
}

const callOf = ({ from, to, value = '0x0', data = '0x' }: TransactionRequest) => ({
  from,
  ...(to && { to }),
  value,
  data,
})

/** The signed nonces that it takes; none where the node does not tell, since the person can do without. */
const displacedBy = async (parts: DraftParts, [{ from }, ...others]: Batch): Promise<Order['displaced']> => {
  try {
    await parts.restarts.look(parts.network)
    return (await noncesInOrder(parts, from, others.length + 1)).displaced
  } catch {
    return []
  }
}

/** Throws as `fillTransaction` does, and ValueError for what no transaction can hold. */
export const draftBatch = async (parts: DraftParts, batch: Batch): Promise<DraftedBatch> => {
  const [first, ...others] = batch
  const destined = batch.flatMap(destinedOf)
  const acts = destined.flatMap(call => call.acts)
  const market = readMarket(parts)
  const [alone, sequence, displaced, tokens, facts] = await Promise.all([
    Promise.all(batch.map(request => fillTransaction(parts, request, market))),
    simulateInOrder(parts, [callOf(first), ...others.map(callOf)]),
    displacedBy(parts, batch),
    readTokens(parts, first.from, acts),
    readAddressFacts(parts, destined),
  ])
  const calls = alone.map((filled, at) => inItsPlace(filled, at, sequence?.used[at] ?? null))
  const transactions = calls.map(({ transaction }) => transaction)
  // What could not be signed is refused now, before the person is asked.
  for (const transaction of transactions) toTransaction(transaction, ANY_NONCE)
  const readOwn = await parts.interfaces.reader(parts.network.chainId)
  const order = { simulation: sequence?.view ?? null, displaced }
  const { effect, findings } = reviewCalls(calls, tokens, order, readOwn)
  return { transactions, effect, findings: [...findings, ...reviewDestinations(destined, facts)] }
}
