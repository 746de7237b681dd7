/** What the data of a transaction asks of a contract, the calls within a call among it. */
import { type Budget, MAX_WORDS } from '@heliograph/shared/evm/abi-decode'
import { type Call, type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { CallView, Finding, TokenAct } from '../../messages.ts'
import { actsOfCall } from './acts.ts'
import { finding, once } from './findings.ts'
import { callsWithin, type DecodedCall, type Frame, type Inner } from './wrappers.ts'

/** A call by an interface that the person added; `by` is the name of that. */
export type OwnCall = { call: Call; by: string }
/** Reads a call that is not in the wallet's own table; undefined for a function that no interface of the contract has. */
export type ReadOwn = (to: string, data: Hex, budget?: Budget) => OwnCall | undefined

/** `call` is undefined where the function is not known, or there is none; without `by` it is in the wallet's table. */
export type ReadCall = {
  call: Call | undefined
  by?: string
  acts: readonly TokenAct[]
  findings: readonly Finding[]
}

/** How deep calls within calls are read. */
const MAX_NESTING = 16

type Read = Omit<ReadCall, 'call' | 'by'>
type Place = Frame & { nesting: number; readOwn: ReadOwn; budget: Budget }

/** The wallet's own table comes first: what it says of a function no interface can say otherwise. */
const decode = (data: Hex, { to, readOwn, budget }: Place): Pick<ReadCall, 'call' | 'by'> => {
  const call = decodeCall(data, budget)
  return call ? { call } : (readOwn(to, data, budget) ?? { call })
}

const SELECTOR_LENGTH = 10

/** Bytes that may be another call, whatever the interface calls them. */
const mayHoldCall = ({ type, value }: CallArgument): boolean =>
  typeof value === 'string' ? type === 'bytes' && value.length >= SELECTOR_LENGTH : value.some(mayHoldCall)

const readInner = (inner: Inner, { nesting, readOwn, budget }: Place): Read => {
  const place = { to: inner.to, account: inner.account, self: inner.self, nesting: nesting + 1, readOwn, budget }
  const found = [
    ...(inner.delegates ? [finding('danger', 'delegateCall', inner.to)] : []),
    ...(inner.value === '0' ? [] : [finding('caution', 'movesCoins', inner.to, inner.value)]),
  ]
  if ('data' in inner && inner.data === '0x') return { acts: [], findings: found }
  const { acts, findings } = readDecoded('call' in inner ? { call: inner.call } : decode(inner.data, place), place)
  return { acts, findings: [...found, ...findings] }
}

const readAll = (calls: readonly Inner[], place: Place): Read => {
  if (place.nesting === MAX_NESTING) return { acts: [], findings: [finding('danger', 'nestedTooDeep')] }
  const read = calls.map(inner => readInner(inner, place))
  return { acts: read.flatMap(({ acts }) => acts), findings: once(read.flatMap(({ findings }) => findings)) }
}

const readKnown = (call: DecodedCall, by: string | undefined, place: Place): Read => {
  if (by !== undefined) {
    const found = call.args.some(mayHoldCall) ? finding('caution', 'unknownCall') : finding('none', 'ownInterface', by)
    return { acts: [], findings: [found] }
  }
  const calls = callsWithin(call, place, place.budget)
  if (calls) return readAll(calls, place)
  return { acts: actsOfCall({ call, to: place.to, account: place.account }), findings: [] }
}

const readDecoded = ({ call, by }: Pick<ReadCall, 'call' | 'by'>, place: Place): Read => {
  if (call === undefined) return { acts: [], findings: [finding('caution', 'unknownCall')] }
  if (call.kind === 'malformed') return { acts: [], findings: [finding('danger', 'malformedCall', call.why)] }
  const { acts, findings } = readKnown(call, by, place)
  return { acts, findings: once([...findings, ...(call.unusual ? [finding('caution', 'unusualEncoding')] : [])]) }
}

const KNOWS_NONE: ReadOwn = () => undefined

/** What is found of the acts themselves is up to `findingsOfActs`. `to` is null for the creation of a contract. */
export const readCall = (
  transaction: { from: string; to: string | null; data: Hex },
  readOwn: ReadOwn = KNOWS_NONE,
): ReadCall => {
  const { from, to, data } = transaction
  if (to === null) {
    const bytes = (data.length - 2) / 2
    return { call: undefined, acts: [], findings: [finding('caution', 'createsContract', bytes)] }
  }
  if (data === '0x') return { call: undefined, acts: [], findings: [] }
  const place = { to, account: from, self: to, nesting: 0, readOwn, budget: { words: MAX_WORDS } }
  const decoded = decode(data, place)
  return { ...decoded, ...readDecoded(decoded, place) }
}

/** Calls that a signature lets others make. They count as carried by a call. */
export const readCarried = (calls: readonly Inner[]): Pick<ReadCall, 'acts' | 'findings'> => {
  const nobody = { to: '', account: '', self: '' }
  return readAll(calls, { ...nobody, nesting: 0, readOwn: KNOWS_NONE, budget: { words: MAX_WORDS } })
}

/** A call as pages see it; null where it could not be read. */
export const viewOfCall = ({ call, by }: Pick<ReadCall, 'call' | 'by'>): CallView | null =>
  call?.kind === 'call'
    ? { name: call.name, signature: call.signature, args: call.args, ...(by !== undefined && { by }) }
    : null
