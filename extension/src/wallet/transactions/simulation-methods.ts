/**
 * The methods with which a node can simulate calls: `eth_simulateV1` (https://ethereum.github.io/execution-apis/),
 * `debug_traceCall` with the call tracer, and `eth_call`, which only shows whether a call fails.
 */
import { RpcError } from '@heliograph/shared/errors'
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { RevertView } from '../../messages.ts'
import type { Call } from '../fees/fees.ts'
import { isUnavailable } from '../networks/node.ts'
import { plausibleQuantityIn, statedQuantityIn } from '../networks/quantities.ts'
import { failingCall, isRevert, LONGEST_REASON, reasonOf, revertDataOf, revertReason } from '../networks/reverts.ts'
import { type Move, readMoves } from '../tokens/token-moves.ts'
import type { SimulationParts } from './balance-changes.ts'
import { type SimulatedBlock, simulateOverrides, traceOverrides } from './simulation-block.ts'

type Members = Record<string, unknown>
/**
 * A call's result. `own` are the transfers of the values in the request, and `moves` are all other transfers, null if
 * unknown. `isExplained` is true if the failure comes from the contract's revert data. `within` is the index of the
 * failing call if the call is a batch, null if unknown. `used` is the gas used, null if unknown.
 */
export type Outcome = {
  own: readonly Move[]
  moves: readonly Move[] | null
  failure: RevertView | null
  isExplained: boolean
  within: number | null
  used: bigint | null
}

/** A call in the form in which it is sent to the node. */
export type NodeCall = Call & Readonly<Record<string, unknown>>
export type Calls = readonly [NodeCall, ...NodeCall[]]

/** Maximum number of frames that are read from a trace. */
const MAX_FRAMES = 5_000

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

const itemsOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

const FAILED = { own: [], moves: [], used: null }

const failed = (thrown: unknown, returned: unknown): Outcome => {
  const reason = revertReason(returned)
  const message = isMembers(thrown) ? thrown.message : thrown
  const words = typeof message === 'string' && message !== '' ? message : 'execution reverted'
  const within = failingCall(returned)?.at ?? null
  return { ...FAILED, failure: reason ?? words.slice(0, LONGEST_REASON), isExplained: reason !== null, within }
}

const nativeMove = (from: unknown, to: unknown, amount: bigint): Move => ({
  kind: 'native',
  token: null,
  id: null,
  from: String(from),
  to: String(to),
  amount,
})

type Transfers = { own: readonly Move[]; moves: readonly Move[] }

/**
 * Separates the transfer of the call's value from other transfers. Nodes that do not log transfers of the native
 * currency omit it.
 */
const withOwn = ({ own, moves }: Transfers, { from: payer, to: payee, value: sent = '0x0' }: Call): Transfers => {
  const value = decodeQuantity(sent)
  if (value === 0n) return { own, moves }
  const at = moves.findIndex(
    ({ kind, from, to, amount }) =>
      kind === 'native' && amount === value && sameAddress(from, payer) && (!payee || sameAddress(to, payee)),
  )
  const paid = nativeMove(payer, payee ?? moves[at]?.to, value)
  return { own: [...own, paid], moves: moves.filter((_, index) => index !== at) }
}

/** Separates the transfers of the values that a batch's calls send in one transaction. */
export const withOwnOf = (outcome: Outcome, calls: readonly Call[]): Outcome => {
  const { own, moves, failure } = outcome
  return moves === null || failure !== null ? outcome : { ...outcome, ...calls.reduce(withOwn, { own, moves }) }
}

const succeeded = (call: Call, moves: readonly Move[], used: bigint | null): Outcome => {
  const rest = { failure: null, isExplained: false, within: null, used }
  return { ...withOwn({ own: [], moves }, call), ...rest }
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
export type Way = (parts: SimulationParts, calls: Calls, block: SimulatedBlock | null) => Promise<Outcome[] | null>

/** Simulates the calls in sequence in one block. */
export const bySimulation: Way = async ({ chain, network }, calls, block) => {
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
export const byTrace: Way = async ({ chain, network }, [call], block) => {
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
export const byCall: Way = async ({ chain, network }, [call]) => {
  const execute = (executed: NodeCall) => chain(network, 'eth_call', [executed, 'latest'])
  try {
    await execute(call).catch(error => {
      if (error instanceof RpcError && !isRevert(error) && !isUnavailable(error)) return execute(withoutFees(call))
      throw error
    })
    return [{ own: [], moves: null, failure: null, isExplained: false, within: null, used: null }]
  } catch (error) {
    const failure = reasonOf(error)
    if (failure === undefined) return null
    const data = error instanceof RpcError ? revertDataOf(error) : null
    return [{ ...FAILED, failure, isExplained: revertReason(data) !== null, within: failingCall(data)?.at ?? null }]
  }
}
