/** Reviews a batch of calls: each call as a transaction, and all calls together, or one transaction with all calls. */
import { decodeQuantity, encodeQuantity } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { CallsEffect, CallsSimulationView, FeeView, Finding, TokenView } from '../../messages.ts'
import { type Filled, highestFee } from '../fees/filled.ts'
import type { ReadCall } from './call.ts'
import { fastOffer, reviewShare } from './fees.ts'
import { finding, once } from './findings.ts'
import { reviewDisplaced } from './nonces.ts'
import { reviewFailure, reviewFunds, reviewTransaction, reviewUnreached } from './transaction.ts'

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
const sumOf = (fees: readonly FeeView[], name: keyof FeeView) =>
  encodeQuantity(sum(fees.map(fee => decodeQuantity(fee[name] ?? '0x0'))))

/**
 * False for findings that are meaningful only for the whole batch, because earlier calls change a call's outcome and
 * the costs of all calls add up.
 */
const isOfItsOwn = ({ name }: Finding) =>
  name !== 'insufficientFunds' && name !== 'likelyToFail' && name !== 'feeOfBalance'

/**
 * Facts about the calls as a sequence. `displaced` lists the nonces of signed, unsent transactions that the batch
 * reuses.
 */
export type Order = { simulation: CallsSimulationView | null; displaced: readonly bigint[] }

/** Finds reasons why the batch may fail. Uses the batch's simulation or, if there is none, the first call's. */
const reviewOrder = (calls: readonly Filled[], { simulation, displaced }: Order): Finding[] => {
  const failure = simulation ? simulation.failure : (calls[0]?.failure ?? null)
  const untried = calls.slice(simulation?.tried ?? 1).some(call => call.failure !== null)
  return [
    ...reviewFailure(failure),
    ...(untried ? [finding('caution', 'untriedCall')] : []),
    ...reviewDisplaced(displaced),
  ]
}

type ReviewedCalls = { effect: CallsEffect; findings: readonly Finding[] }

/** `reads` are the calls' calldata as read before. */
export const reviewCalls = (
  calls: readonly Filled[],
  tokens: readonly TokenView[] = [],
  order: Order = { simulation: null, displaced: [] },
  reads: readonly ReadCall[] = [],
): ReviewedCalls => {
  const reviews = calls.map((filled, at) => reviewTransaction(filled, 'send', tokens, reads[at]))
  // Later calls in the batch may need exactly this allowance, so it cannot be changed.
  const effects = reviews.map(({ effect }) => ({ ...effect, limit: null }))
  const needed = sum(
    calls.map(({ transaction, l1Fee }) => decodeQuantity(transaction.value) + highestFee(transaction) + (l1Fee ?? 0n)),
  )
  const fees = effects.map(({ fee }) => fee)
  const atMost = sum(calls.map(({ transaction }) => highestFee(transaction)))
  const own = sum(calls.map(({ ownGas, market }) => ownGas * fastOffer(market)))
  const balance = calls[0]?.balance ?? 0n
  const [first] = effects
  return {
    effect: {
      kind: 'calls',
      calls: effects,
      fee: {
        gas: sumOf(fees, 'gas'),
        used: sumOf(fees, 'used'),
        expected: sumOf(fees, 'expected'),
        atMost: sumOf(fees, 'atMost'),
        ...(fees.some(({ l1 }) => l1 !== undefined) && { l1: sumOf(fees, 'l1') }),
      },
      ...(first?.fees && { fees: first.fees }),
      ...(first?.speed && { speed: first.speed }),
      ...(order.simulation && { simulation: order.simulation }),
    },
    findings: once([
      ...reviews.flatMap(review => review.findings.filter(isOfItsOwn)),
      ...reviewOrder(calls, order),
      ...reviewShare(atMost, own, balance),
      ...reviewFunds(needed, balance),
    ]),
  }
}

/** How one transaction runs all calls: see `CallsEffect`. */
export type Together = NonNullable<CallsEffect['together']>

/** Reports that the transaction gives the account code, or other code than it has now. */
const reviewUpgrade = ({ upgrades, replaces }: Together): Finding[] => [
  ...(replaces === null ? [] : [finding('danger', 'replacesCode', replaces)]),
  ...(upgrades ? [finding('caution', 'upgradesAccount')] : []),
]

/** A call that has nothing to be read. The calls of a batch are read one by one. */
const READ_ELSEWHERE: ReadCall = { call: undefined, acts: [], payments: [], findings: [] }

/** Reviews one transaction that runs all of these calls. */
export const reviewTogether = (
  filled: Filled,
  requests: readonly TransactionRequest[],
  together: Together,
  tokens: readonly TokenView[],
  { simulation, displaced }: Order,
  reads: readonly ReadCall[],
): ReviewedCalls => {
  const { effect, findings } = reviewUnreachedCalls(requests, tokens, reads)
  const outer = reviewTransaction(filled, 'send', [], READ_ELSEWHERE)
  const { fee, fees, speed } = outer.effect
  const sent = sum(requests.map(({ value = '0x0' }) => decodeQuantity(value)))
  const needed = sent + highestFee(filled.transaction) + (filled.l1Fee ?? 0n)
  return {
    effect: {
      ...effect,
      together,
      fee,
      ...(fees && { fees }),
      ...(speed && { speed }),
      ...(simulation && { simulation }),
    },
    findings: once([
      ...reviewUpgrade(together),
      ...findings,
      ...outer.findings.filter(({ name }) => name !== 'insufficientFunds' && name !== 'likelyToFail'),
      ...reviewFailure(simulation ? simulation.failure : filled.failure),
      ...reviewDisplaced(displaced),
      ...reviewFunds(needed, filled.balance),
    ]),
  }
}

/** Reviews a batch while its node is unreachable. The batch cannot be approved. */
export const reviewUnreachedCalls = (
  requests: readonly TransactionRequest[],
  tokens: readonly TokenView[],
  reads: readonly ReadCall[],
): ReviewedCalls => {
  const reviews = requests.map((request, at) => reviewUnreached(request, 'send', tokens, reads[at]))
  const effects = reviews.map(({ effect }) => ({ ...effect, limit: null }))
  const findings = once(reviews.flatMap(review => review.findings))
  return { effect: { kind: 'calls', calls: effects, fee: null }, findings }
}
