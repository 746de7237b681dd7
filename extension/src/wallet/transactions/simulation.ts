/**
 * Simulates a transaction on the node with `eth_simulateV1` (https://ethereum.github.io/execution-apis/), or else with
 * `debug_traceCall` and the call tracer, or else with `eth_call`, which only shows whether it fails. The transaction
 * runs with its gas, fees and nonce in the next block, and again in another block: a contract may recognize a
 * simulation by these values and behave differently.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { CallsSimulationView, RevertView, SimulationView } from '../../messages.ts'
import type { Call, Fees } from '../fees/fees.ts'
import { choiceOf, type Filled, type FilledTransaction } from '../fees/filled.ts'
import { isUnavailable } from '../networks/node.ts'
import { plausibleQuantityIn, statedQuantityIn } from '../networks/quantities.ts'
import { isRevert, LONGEST_REASON, reasonOf, revertDataOf, revertReason } from '../networks/reverts.ts'
import { type Move, readMoves } from '../tokens/token-moves.ts'
import { areAlike, type Change, changesOf, describeChanges, type SimulationParts } from './balance-changes.ts'
import { nextBlock, otherBlock, type SimulatedBlock, simulateOverrides, traceOverrides } from './simulation-block.ts'

type Members = Record<string, unknown>
/**
 * `own` is the transfer of the call's value, and `moves` are all other transfers, null if unknown. `isExplained` is
 * true if the failure comes from the contract's revert data. `used` is the gas used, null if unknown.
 */
type Outcome = {
  own: Move | null
  moves: readonly Move[] | null
  failure: RevertView | null
  isExplained: boolean
  used: bigint | null
}

/** A call in the form in which it is sent to the node. */
type NodeCall = Call & Readonly<Record<string, unknown>>
type Calls = readonly [NodeCall, ...NodeCall[]]

/** Timeout of a simulation in ms. A node may take long to trace a call. */
export const SIMULATION_TIMEOUT = 5_000
/** Timeout of the second run in ms. Shorter, because the review waits for both runs and then still has other work. */
export const SECOND_RUN_TIMEOUT = 4_000
/** Maximum number of frames that are read from a trace. */
const MAX_FRAMES = 5_000

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

const itemsOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

const FAILED = { own: null, moves: [], used: null }

const failed = (thrown: unknown, returned: unknown): Outcome => {
  const reason = revertReason(returned)
  const message = isMembers(thrown) ? thrown.message : thrown
  const words = typeof message === 'string' && message !== '' ? message : 'execution reverted'
  return { ...FAILED, failure: reason ?? words.slice(0, LONGEST_REASON), isExplained: reason !== null }
}

const nativeMove = (from: unknown, to: unknown, amount: bigint): Move => ({
  kind: 'native',
  token: null,
  id: null,
  from: String(from),
  to: String(to),
  amount,
})

/**
 * Separates the transfer of the call's value from other transfers. Nodes that do not log transfers of the native
 * currency omit it.
 */
const succeeded = (call: Call, moves: readonly Move[], used: bigint | null): Outcome => {
  const rest = { failure: null, isExplained: false, used }
  const value = decodeQuantity(call.value ?? '0x0')
  if (value === 0n) return { own: null, moves, ...rest }
  const at = moves.findIndex(
    ({ kind, from, to, amount }) =>
      kind === 'native' && amount === value && sameAddress(from, call.from) && (!call.to || sameAddress(to, call.to)),
  )
  const own = nativeMove(call.from, call.to ?? moves[at]?.to, value)
  return { own, moves: moves.filter((_, index) => index !== at), ...rest }
}

/** Parses a call's result. Null if it does not tell whether the call fails. */
const outcomeOf = (call: Call, result: Members): Outcome | null => {
  const status = plausibleQuantityIn(result, 'status')
  if (status === 0n || result.error) return failed(result.error, result.returnData)
  return status === 1n ? succeeded(call, readMoves(result.logs), plausibleQuantityIn(result, 'gasUsed')) : null
}

/**
 * A simulation method. Returns null if the response is malformed. If `block` is null, the node chooses the block.
 * Throws the node's errors.
 */
type Way = (parts: SimulationParts, calls: Calls, block: SimulatedBlock | null) => Promise<Outcome[] | null>

/** Simulates the calls in sequence in one block. */
const bySimulation: Way = async ({ chain, network }, calls, block) => {
  const blockCall = { ...(block && { blockOverrides: simulateOverrides(block) }), calls }
  const asked = { blockStateCalls: [blockCall], traceTransfers: true }
  const answer = await chain(network, 'eth_simulateV1', [asked, block?.base ?? 'latest'])
  // The calls are in the last block. If `block` skips numbers, the node returns empty blocks before it.
  const results = itemsOf(itemsOf(answer).at(-1)?.calls)
  if (results.length !== calls.length) return null
  const outcomes = calls.flatMap((call, at) => outcomeOf(call, results[at] as Members) ?? [])
  return outcomes.length === calls.length ? outcomes : null
}

/** Calls that transfer no value. Their `value` is inherited from the caller. */
const BORROWING = new Set(['DELEGATECALL', 'CALLCODE', 'STATICCALL'])

const movesInTrace = (root: Members): Move[] => {
  const moves: Move[] = []
  const frames = [root]
  for (let at = 0; at < frames.length && at < MAX_FRAMES; at++) {
    const frame = frames[at] as Members
    // A failed frame reverts all of its effects, so its transfers are skipped.
    if (frame.error) continue
    const value = statedQuantityIn(frame, 'value') ?? 0n
    if (value > 0n && !BORROWING.has(String(frame.type))) moves.push(nativeMove(frame.from, frame.to, value))
    moves.push(...readMoves(frame.logs))
    frames.push(...itemsOf(frame.calls))
  }
  return moves
}

/** Traces the first call. */
const byTrace: Way = async ({ chain, network }, [call], block) => {
  const options = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  const tracer = { ...options, ...(block && { blockOverrides: traceOverrides(block) }) }
  const root = await chain(network, 'debug_traceCall', [call, block?.base ?? 'latest', tracer])
  if (!isMembers(root) || typeof root.type !== 'string') return null
  if (root.error) return [failed(root.revertReason ?? root.error, root.output)]
  return [succeeded(call, movesInTrace(root), null)]
}

const withoutFees = ({ gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, ...call }: NodeCall): NodeCall => call

/**
 * Executes the first call. If the node rejects the call's fees, for example because they are below the base fee,
 * executes it without fees.
 */
const byCall: Way = async ({ chain, network }, [call]) => {
  const execute = (executed: NodeCall) => chain(network, 'eth_call', [executed, 'latest'])
  try {
    await execute(call).catch(error => {
      if (error instanceof RpcError && !isRevert(error) && !isUnavailable(error)) return execute(withoutFees(call))
      throw error
    })
    return [{ own: null, moves: null, failure: null, isExplained: false, used: null }]
  } catch (error) {
    const failure = reasonOf(error)
    if (failure === undefined) return null
    const isExplained = error instanceof RpcError && revertReason(revertDataOf(error)) !== null
    return [{ ...FAILED, failure, isExplained }]
  }
}

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
  return changesOf({ own: outcomes.flatMap(({ own }) => own ?? []), others }, account)
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

type Sequence = readonly [Simulated, ...Simulated[]]

const tryInOrder = async (
  parts: SimulationParts,
  drafted: Sequence,
  nonces: readonly (string | undefined)[],
): Promise<CallsSimulationView | null> => {
  const [first, ...others] = drafted
  const rest = others.map(({ transaction }, at) => nodeCallOf(transaction, nonces[at + 1]))
  const done = await run(parts, [nodeCallOf(first.transaction, nonces[0]), ...rest], first.market.fees)
  if (done === null) return null
  const { by, outcomes, second } = done
  const account = first.transaction.from as Address
  const changes = changesIn(outcomes, account)
  const described = changes && (await describeChanges(parts, changes, { account, balance: first.balance }))
  const at = outcomes.findIndex(({ failure }) => failure !== null)
  const failing = outcomes[at]
  const other = await second
  return {
    by,
    failure: failing ? failureOf(failing, at === 0 ? first.failure : null) : null,
    ...(described ?? { changes: null, hidden: 0 }),
    ...(other !== null && !hasSameResult(outcomes, other, account) && { differs: true }),
    tried: outcomes.length,
    failed: failing ? at : null,
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
