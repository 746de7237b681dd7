/**
 * Simulates a transaction on the node, with the first of the methods in simulation-methods.ts that works. The
 * transaction runs with its gas, fees and nonce in the next block, and again in another block: a contract may recognize
 * a simulation by these values and behave differently.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { CallsSimulationView, RevertView, SimulationView } from '../../messages.ts'
import type { Call, Fees } from '../fees/fees.ts'
import { choiceOf, type Filled, type FilledTransaction } from '../fees/filled.ts'
import { isUnavailable } from '../networks/node.ts'
import type { Move } from '../tokens/token-moves.ts'
import { areAlike, type Change, changesOf, describeChanges, type SimulationParts } from './balance-changes.ts'
import { nextBlock, otherBlock, type SimulatedBlock } from './simulation-block.ts'
import {
  byCall,
  bySimulation,
  byTrace,
  type Calls,
  type NodeCall,
  type Outcome,
  type Way,
  withOwnOf,
} from './simulation-methods.ts'

/** Timeout of a simulation in ms. A node may take long to trace a call. */
export const SIMULATION_TIMEOUT = 5_000
/** Timeout of the second run in ms. Shorter, because the review waits for both runs and then still has other work. */
export const SECOND_RUN_TIMEOUT = 4_000

/** Runs in the given block or, if the node refuses it, in a block that the node chooses. */
const runInBlock = async (way: Way, parts: SimulationParts, calls: Calls, block: SimulatedBlock) => {
  try {
    return await way(parts, calls, block)
  } catch (error) {
    const isMissing = error instanceof RpcError && error.code === errorCodes.methodNotFound[0]
    if (isMissing || isUnavailable(error)) throw error
    return way(parts, calls, null)
  }
}

const inTime = async <T>(trying: Promise<T>, timeout: number): Promise<T | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), timeout)
  })
  try {
    return await Promise.race([trying, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the balance changes. Null if the transfers are unknown. */
const changesIn = (outcomes: readonly Outcome[], account: string): Change[] | null => {
  const others: Move[] = []
  for (const { moves } of outcomes) {
    if (moves === null) return null
    others.push(...moves)
  }
  return changesOf({ own: outcomes.flatMap(({ own }) => own), others }, account)
}

/** True if the same calls fail, and the account's balances change alike. */
const hasSameResult = (first: readonly Outcome[], second: readonly Outcome[], account: string): boolean =>
  first.every(({ failure }, at) => (failure === null) === (second[at]?.failure === null)) &&
  areAlike(changesIn(first, account) ?? [], changesIn(second, account) ?? [])

/** `second` resolves with null if there was no second run, or if it had no result. */
type Run = { by: SimulationView['by']; outcomes: Outcome[]; second: Promise<Outcome[] | null> }

/** Returns the methods to try, in order. Only the first can run several calls. */
const attemptsFor = (calls: Calls): readonly (readonly [SimulationView['by'], Way, Calls])[] => {
  const first: Calls = [calls[0]]
  return [
    ['simulate', bySimulation, calls],
    ...(calls.length > 1 ? [['simulate', bySimulation, first] as const] : []),
    ['trace', byTrace, first],
    ['call', byCall, first],
  ]
}

const gasOf = (calls: Calls): bigint =>
  calls.reduce((sum, { gas }) => sum + (typeof gas === 'string' ? decodeQuantity(gas) : 0n), 0n)

/** Tries the methods in order: a node may reject one method and support the next. */
const run = async (parts: SimulationParts, all: Calls, fees: Fees): Promise<Run | null> => {
  const end = performance.now() + SECOND_RUN_TIMEOUT
  const block = nextBlock(fees)
  for (const [by, way, calls] of attemptsFor(all)) {
    const running = by === 'call' ? way(parts, calls, null) : runInBlock(way, parts, calls, block)
    const again = by === 'call' ? Promise.resolve(null) : way(parts, calls, otherBlock(block, gasOf(calls)))
    const second = inTime(
      again.catch(() => null),
      end - performance.now(),
    )
    const outcomes = await running.catch(() => null)
    if (outcomes !== null) return { by, outcomes, second }
  }
  return null
}

/** The parts of a drafted transaction that its simulation needs. */
export type Simulated = Pick<Filled, 'transaction' | 'balance' | 'failure' | 'market'>

const nodeCallOf = (transaction: FilledTransaction, nextNonce: string | undefined): NodeCall => {
  const { from, to, value, data, gas, accessList, nonce = nextNonce } = transaction
  return {
    ...{ from, ...(to && { to }), value, data, gas },
    ...choiceOf(transaction),
    ...(nonce !== undefined && { nonce }),
    ...(accessList && { accessList }),
  }
}

/** Returns why a call failed. If it ran out of gas, returns why its gas could not be estimated, which is the cause. */
const failureOf = ({ failure, isExplained }: Outcome, estimated: RevertView | null): RevertView | null =>
  failure !== null && !isExplained && estimated !== null ? estimated : failure

/** Returns the index of the call that makes a batch fail. Null if the failure does not tell, or tells no call of it. */
const failedOf = ({ within }: Outcome, { length }: readonly Call[]): number | null =>
  within !== null && within < length ? within : null

type Sequence = readonly [Simulated, ...Simulated[]]

/** `together` are the calls of a batch that a single transaction runs. Without them, each transaction is a call. */
const tryInOrder = async (
  parts: SimulationParts,
  drafted: Sequence,
  nonces: readonly (string | undefined)[],
  together?: readonly Call[],
): Promise<CallsSimulationView | null> => {
  const [first, ...others] = drafted
  const rest = others.map(({ transaction }, at) => nodeCallOf(transaction, nonces[at + 1]))
  const done = await run(parts, [nodeCallOf(first.transaction, nonces[0]), ...rest], first.market.fees)
  if (done === null) return null
  const { by, second } = done
  const outcomes = together ? done.outcomes.map(outcome => withOwnOf(outcome, together)) : done.outcomes
  const account = first.transaction.from as Address
  const changes = changesIn(outcomes, account)
  const described = changes && (await describeChanges(parts, changes, { account, balance: first.balance }))
  const at = outcomes.findIndex(({ failure }) => failure !== null)
  const failing = outcomes[at]
  const other = await second
  const again = together ? other?.map(outcome => withOwnOf(outcome, together)) : other
  return {
    by,
    failure: failing ? failureOf(failing, at === 0 ? first.failure : null) : null,
    ...(described ?? { changes: null, hidden: 0 }),
    ...(again && !hasSameResult(outcomes, again, account) && { differs: true }),
    tried: together?.length ?? outcomes.length,
    failed: failing ? (together ? failedOf(failing, together) : at) : null,
  }
}

/**
 * Simulates transactions in sequence if the node supports it, otherwise only the first. `nonces` are for transactions
 * without one. Returns null if the node is unreachable or too slow, or its response is malformed.
 */
export const simulateInOrder = (
  parts: SimulationParts,
  drafted: Sequence,
  nonces: readonly (string | undefined)[],
): Promise<CallsSimulationView | null> => inTime(tryInOrder(parts, drafted, nonces), SIMULATION_TIMEOUT)

/** Simulates the transaction that runs all of a batch's calls, like `simulateInOrder`. */
export const simulateTogether = (
  parts: SimulationParts,
  drafted: Simulated,
  nonce: string | undefined,
  calls: readonly Call[],
): Promise<CallsSimulationView | null> => inTime(tryInOrder(parts, [drafted], [nonce], calls), SIMULATION_TIMEOUT)

/** Simulates a single transaction, like `simulateInOrder`. */
export const simulate = async (
  parts: SimulationParts,
  drafted: Simulated,
  nonce?: string,
): Promise<SimulationView | null> => {
  const simulated = await simulateInOrder(parts, [drafted], [nonce])
  if (simulated === null) return null
  const { tried, failed, ...view } = simulated
  return view
}

/**
 * Measures the gas that each call uses after the earlier calls, null for a failed call. Empty if the node cannot
 * simulate several calls.
 */
export const readGasInOrder = async (
  parts: SimulationParts,
  calls: readonly [Call, ...Call[]],
): Promise<readonly (bigint | null)[]> => {
  const outcomes = await inTime(
    bySimulation(parts, calls as Calls, null).catch(() => null),
    SIMULATION_TIMEOUT,
  )
  return outcomes?.map(({ used }) => used) ?? []
}
