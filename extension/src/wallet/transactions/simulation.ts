/**
 * Simulates a transaction on the node: `eth_simulateV1` of https://ethereum.github.io/execution-apis/, else
 * `debug_traceCall` with the call tracer, else `eth_call`, which only shows whether it fails.
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { BalanceChangeView, CallsSimulationView, RevertView, SimulationView } from '../../messages.ts'
import type { Call } from '../fees/fees.ts'
import { LONGEST_REASON, reasonOf, revertReason } from '../networks/reverts.ts'
import type { Context } from '../requests/context.ts'
import { readToken, type TokenFacts } from '../tokens/metadata.ts'
import { type Move, readMoves } from '../tokens/token-moves.ts'
import { plainDecimals, plainSymbol } from '../tokens/tokens.ts'

type Parts = Pick<Context, 'chain' | 'network'> & { assets: Pick<Context['assets'], 'list'> }
type Members = Record<string, unknown>
/** `used` is the gas used, null if unknown. */
type Outcome = { moves: readonly Move[] | null; failure: RevertView | null; used: bigint | null }

/** Maximum balance changes shown, and tokens whose metadata is read. */
export const MAX_CHANGES = 30
const MAX_TOKENS = 8
/** Timeout in ms. Tracing may take a node long. */
export const SIMULATION_TIMEOUT = 5_000
/** Maximum frames of a trace that are read. */
const MAX_FRAMES = 5_000

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

const itemsOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

const wordsOf = (thrown: unknown, returned: unknown): RevertView => {
  const message = isMembers(thrown) ? thrown.message : thrown
  const words = typeof message === 'string' && message !== '' ? message : 'execution reverted'
  return revertReason(returned) ?? words.slice(0, LONGEST_REASON)
}

const nativeMove = (from: unknown, to: unknown, amount: bigint): Move => ({
  kind: 'native',
  token: null,
  id: null,
  from: String(from),
  to: String(to),
  amount,
})

const outcomeOf = (call: Call, result: Members): Outcome => {
  if (result.status !== '0x1') return { moves: [], failure: wordsOf(result.error, result.returnData), used: null }
  const moves = readMoves(result.logs)
  const value = decodeQuantity(call.value ?? '0x0')
  // A node that does not log transfers of the native currency also omits the transaction's own value.
  const isLogged = value === 0n || moves.some(({ kind }) => kind === 'native')
  const used = typeof result.gasUsed === 'string' ? decodeQuantity(result.gasUsed) : null
  return { moves: isLogged ? moves : [...moves, nativeMove(call.from, call.to, value)], failure: null, used }
}

/** Simulates the calls in order in one block. Returns null if the response is malformed. */
const inOneBlock = async ({ chain, network }: Parts, calls: readonly Call[]): Promise<Outcome[] | null> => {
  const asked = { blockStateCalls: [{ calls }], traceTransfers: true }
  const answer = await chain(network, 'eth_simulateV1', [asked, 'latest'])
  const results = itemsOf(itemsOf(answer)[0]?.calls)
  if (results.length !== calls.length) return null
  return calls.map((call, at) => outcomeOf(call, results[at] as Members))
}

const bySimulation = async (parts: Parts, call: Call): Promise<Outcome | null> =>
  (await inOneBlock(parts, [call]))?.[0] ?? null

/** These calls transfer no value. Their `value` is inherited from the caller. */
const BORROWING = new Set(['DELEGATECALL', 'CALLCODE', 'STATICCALL'])

const movesInTrace = (root: Members): Move[] => {
  const moves: Move[] = []
  const frames = [root]
  for (let at = 0; at < frames.length && at < MAX_FRAMES; at++) {
    const frame = frames[at] as Members
    // A failed frame reverts all its effects.
    if (frame.error !== undefined) continue
    const value = typeof frame.value === 'string' ? decodeQuantity(frame.value) : 0n
    if (value > 0n && !BORROWING.has(String(frame.type))) moves.push(nativeMove(frame.from, frame.to, value))
    moves.push(...readMoves(frame.logs))
    frames.push(...itemsOf(frame.calls))
  }
  return moves
}

const byTrace = async ({ chain, network }: Parts, call: Call): Promise<Outcome | null> => {
  const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  const root = await chain(network, 'debug_traceCall', [call, 'latest', tracer])
  if (!isMembers(root) || typeof root.type !== 'string') return null
  if (root.error !== undefined)
    return { moves: [], failure: wordsOf(root.revertReason ?? root.error, root.output), used: null }
  return { moves: movesInTrace(root), failure: null, used: null }
}

const byCall = async ({ chain, network }: Parts, call: Call): Promise<Outcome | null> => {
  try {
    await chain(network, 'eth_call', [call, 'latest'])
    return { moves: null, failure: null, used: null }
  } catch (error) {
    const failure = reasonOf(error)
    return failure === undefined ? null : { moves: [], failure, used: null }
  }
}

type Change = Pick<Move, 'kind' | 'token' | 'id'> & { amount: bigint }

/** The net balance changes of an account, outgoing ones first. */
const changesOf = (moves: readonly Move[], account: string): Change[] => {
  const changes = new Map<string, Change>()
  for (const { kind, token, id, from, to, amount } of moves) {
    const sum = (sameAddress(to, account) ? amount : 0n) - (sameAddress(from, account) ? amount : 0n)
    const key = `${kind} ${token} ${id}`
    const known = changes.get(key)
    changes.set(key, { kind, token, id, amount: (known?.amount ?? 0n) + sum })
  }
  const all = [...changes.values()].filter(({ amount }) => amount !== 0n)
  return [...all.filter(({ amount }) => amount < 0n), ...all.filter(({ amount }) => amount > 0n)]
}

type Told = Pick<SimulationView, 'changes' | 'hidden'>

/** Metadata by address: from the person's list, else from the contracts. Tokens come before items, which have no decimals. */
const factsOf = async ({ chain, network, assets }: Parts, changes: readonly Change[]) => {
  const own = (await assets.list()).filter(({ chainId }) => chainId === network.chainId)
  const facts = new Map<string | null, TokenFacts>(own.map(asset => [asset.address, asset]))
  const sorted = [...changes.filter(({ kind }) => kind === 'erc20'), ...changes]
  const others = new Set(sorted.flatMap(({ token }) => (token === null || facts.has(token) ? [] : [token])))
  const reads = [...others].slice(0, MAX_TOKENS).map(async token => {
    facts.set(token, await readToken(chain, network, token as Hex))
  })
  await Promise.all(reads)
  return facts
}

const viewsOf = async (parts: Parts, all: readonly Change[]): Promise<Told> => {
  const changes = all.slice(0, MAX_CHANGES)
  const facts = await factsOf(parts, changes)
  const views = changes.map(
    ({ kind, token, id, amount }): BalanceChangeView => ({
      kind,
      token,
      id: id === null ? null : encodeQuantity(id),
      direction: amount < 0n ? 'out' : 'in',
      amount: encodeQuantity(amount < 0n ? -amount : amount),
      symbol: plainSymbol(facts.get(token)?.symbol ?? null),
      decimals: kind === 'erc20' ? plainDecimals(facts.get(token)?.decimals ?? null) : null,
    }),
  )
  return { changes: views, hidden: all.length - changes.length }
}

const ways = [
  ['simulate', bySimulation],
  ['trace', byTrace],
  ['call', byCall],
] as const

const tryWays = async (parts: Parts, call: Call): Promise<SimulationView | null> => {
  for (const [by, way] of ways) {
    // A node may reject one method and support the next.
    const outcome = await way(parts, call).catch(() => null)
    if (outcome === null) continue
    const { moves, failure } = outcome
    const told = moves === null ? { changes: null, hidden: 0 } : await viewsOf(parts, changesOf(moves, call.from))
    return { by, failure, ...told }
  }
  return null
}

/** The effect of calls in order, and the gas used by each, null if unknown. */
type Sequence = { view: CallsSimulationView; used: readonly (bigint | null)[] }

const tryInOrder = async (parts: Parts, calls: readonly [Call, ...Call[]]): Promise<Sequence | null> => {
  const outcomes = await inOneBlock(parts, calls).catch(() => null)
  if (outcomes === null) {
    const view = await tryWays(parts, calls[0])
    return view && { view: { ...view, tried: 1, failed: view.failure === null ? null : 0 }, used: [] }
  }
  const failed = outcomes.findIndex(({ failure }) => failure !== null)
  const moves = outcomes.flatMap(outcome => outcome.moves ?? [])
  const told = await viewsOf(parts, changesOf(moves, calls[0].from))
  const failure = outcomes[failed]?.failure ?? null
  const view = { by: 'simulate', ...told, failure, tried: calls.length, failed: failed < 0 ? null : failed } as const
  return { view, used: outcomes.map(({ used }) => used) }
}

const inTime = async <T>(trying: Promise<T>): Promise<T | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), SIMULATION_TIMEOUT)
  })
  try {
    return await Promise.race([trying, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns null if the node is unreachable, too slow or its response is malformed. */
export const simulate = (parts: Parts, call: Call): Promise<SimulationView | null> => inTime(tryWays(parts, call))

/** Simulates calls in order if the node supports it, otherwise only the first. */
export const simulateInOrder = (parts: Parts, calls: readonly [Call, ...Call[]]): Promise<Sequence | null> =>
  inTime(tryInOrder(parts, calls))
