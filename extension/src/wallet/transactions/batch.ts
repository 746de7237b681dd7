/** Drafts a batch of calls: fills in each transaction, simulates them in order, and reviews them together. */
import type { Address } from '@heliograph/shared/evm/address'
import { decodeQuantity, encodeQuantity } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { CallsEffect, Finding } from '../../messages.ts'
import { type Explained, explainCall, withUnread } from '../descriptors/explain.ts'
import { withMargin } from '../fees/fees.ts'
import type { Filled, FilledTransaction } from '../fees/filled.ts'
import { type Order, reviewCalls } from '../review/calls.ts'
import { reviewDestinations } from '../review/destinations.ts'
import { readTransaction } from '../review/transaction.ts'
import { readTokens } from '../tokens/tokens.ts'
import { addressesOf, checkAddresses, factsOf } from './address-checks.ts'
import { checkedFacts, compareFor } from './checked-facts.ts'
import type { DraftParts } from './draft.ts'
import { noncesInOrder } from './nonces.ts'
import { readGasInOrder, simulateInOrder } from './simulation.ts'
import { fillTransaction, readMarket, toTransaction } from './transaction.ts'

export type Batch = readonly [TransactionRequest, ...TransactionRequest[]]
export type DraftedBatch = {
  transactions: readonly FilledTransaction[]
  effect: CallsEffect
  findings: readonly Finding[]
}

/**
 * Gas limit of a call whose gas cannot be estimated because it depends on earlier calls. Most calls after an approval
 * need less, and unused gas is not charged.
 */
export const UNTRIED_GAS = 500_000n
const ANY_NONCE = 0n

/** Raises the gas limit if the call used more gas after the earlier calls than by itself. */
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

/**
 * Adjusts a call to its position in the batch. `used` is its gas after the earlier calls, null if it was not simulated
 * there or failed.
 */
const inItsPlace = (filled: Filled, used: bigint | null): Filled => {
  const { transaction, failure, ...rest } = filled
  if (failure === null) return used === null ? filled : withGasFor(filled, used)
  const wanted = used === null ? UNTRIED_GAS : withMargin(used, null)
  const ownGas = wanted > UNTRIED_GAS ? wanted : UNTRIED_GAS
  const placed = { ...transaction, gas: encodeQuantity(ownGas) }
  return { ...rest, ownGas, transaction: placed, needed: used, failure: used === null ? failure : null }
}

export const callOf = ({ from, to, value = '0x0', data = '0x' }: TransactionRequest) => ({
  from,
  ...(to && { to }),
  value,
  data,
})

/** `displaced` are the nonces that the batch takes from signed, unsent transactions. */
type Nonces = { nonces: readonly string[]; displaced: Order['displaced'] }

/** Reads the next nonces. Empty if the node does not answer, because the information is optional. */
export const readNextNonces = async (parts: DraftParts, account: Address, count: number): Promise<Nonces> => {
  try {
    await parts.chainResets.look(parts.network)
    const { nonces, displaced } = await noncesInOrder(parts, account, count)
    return { nonces: nonces.map(encodeQuantity), displaced }
  } catch {
    return { nonces: [], displaced: [] }
  }
}

/** Fills in the transactions. Each gets enough gas to run after the earlier ones. */
const fillInOrder = async (parts: DraftParts, batch: Batch): Promise<readonly [Filled, ...Filled[]]> => {
  const [first, ...others] = batch
  const market = readMarket(parts)
  const [filled, alone, used] = await Promise.all([
    fillTransaction(parts, first, market),
    Promise.all(others.map(request => fillTransaction(parts, request, market))),
    others.length > 0 ? readGasInOrder(parts, [callOf(first), ...others.map(callOf)]) : [],
  ])
  return [filled, ...alone.map((one, at) => inItsPlace(one, used[at + 1] ?? null))]
}

export const withExplanations = (effect: CallsEffect, explanations: readonly Explained[]): CallsEffect => ({
  ...effect,
  calls: effect.calls.map((call, at) => {
    const explained = explanations[at]?.explained
    return explained ? { ...call, explained } : call
  }),
})

/** Drafts a batch. Throws like `fillTransaction`, and ValueError for values that a transaction cannot contain. */
export const draftBatch = async (parts: DraftParts, batch: Batch): Promise<DraftedBatch> => {
  const [{ from }] = batch
  const readOwn = await parts.interfaces.reader(parts.network.chainId)
  const reads = batch.map(request => readTransaction(request, readOwn))
  const addressed = batch.map((request, at) => addressesOf(request, reads[at]))
  const acts = addressed.flatMap(one => one.acts)
  const filling = Promise.all([fillInOrder(parts, batch), readNextNonces(parts, from, batch.length)])
  const [[calls, { displaced }], simulation, tokens, facts, comparison] = await Promise.all([
    filling,
    filling.then(([filled, { nonces }]) => simulateInOrder(parts, filled, nonces)),
    readTokens(parts, from, acts),
    checkAddresses(parts, addressed),
    compareFor(parts, addressed, 'pays'),
  ])
  const transactions = calls.map(({ transaction }) => transaction)
  // Rejects calls that cannot be signed, before the user is asked.
  for (const transaction of transactions) toTransaction(transaction, ANY_NONCE)
  const { effect, findings } = reviewCalls(calls, tokens, { simulation, displaced }, reads)
  const explanations = await Promise.all(
    transactions.map((transaction, at) => explainCall(parts, transaction, tokens, reads[at])),
  )
  const balance = encodeQuantity(calls[0].balance)
  const { checked, findings: differences } = checkedFacts(comparison, { balance, facts, tokens })
  return {
    transactions,
    effect: {
      ...withExplanations(effect, explanations),
      facts: factsOf(facts),
      balance,
      ...(checked && { checked }),
    },
    findings: [
      ...withUnread(findings, explanations),
      ...reviewDestinations(
        addressed.flatMap(one => one.calls),
        facts,
      ),
      ...differences,
    ],
  }
}
