/** Reads the calldata of a transaction, including calls nested in it. */
import { MAX_ARGUMENT_WORDS, type ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { type Call, type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { CallView, Finding, PaymentView, TokenAct } from '../../messages.ts'
import { actsOfCall } from './acts.ts'
import { finding, once } from './findings.ts'
import { callsWithin, type DecodedCall, type Frame, type Inner, NO_VALUE } from './wrappers.ts'

/** A call decoded with an interface that the person added; `by` is the name of the interface. */
export type OwnCall = { call: Call; by: string }
/** Decodes a call that is not in the wallet's own table; undefined if no added interface has the function. */
export type ReadOwn = (to: string, data: Hex, budget?: ReadBudget) => OwnCall | undefined

/**
 * `call` is undefined if the function is unknown or there is no calldata. Without `by`, the wallet's own table has the
 * function.
 */
export type ReadCall = {
  call: Call | undefined
  by?: string
  acts: readonly TokenAct[]
  payments: readonly Payment[]
  findings: readonly Finding[]
}

/** Native currency that a nested call moves, in wei. */
export type Payment = { from: string; to: string; value: string; data: Hex }

/** Maximum nesting of calls; deeper ones are a danger. */
const MAX_NESTING = 16

type Read = Omit<ReadCall, 'call' | 'by'>
const only = (...findings: readonly Finding[]): Read => ({ acts: [], payments: [], findings })
type Surroundings = Frame & { nesting: number; readOwn: ReadOwn; budget: ReadBudget }

/** The wallet's own table comes first, so that an added interface cannot rename a known function. */
const decode = (data: Hex, { to, readOwn, budget }: Surroundings): Pick<ReadCall, 'call' | 'by'> => {
  const call = decodeCall(data, budget)
  return call ? { call } : (readOwn(to, data, budget) ?? { call })
}

const SELECTOR_LENGTH = 10

/** True for `bytes` long enough to hold a selector, at any depth. */
const mayHoldCall = ({ type, value }: CallArgument): boolean =>
  typeof value === 'string' ? type === 'bytes' && value.length >= SELECTOR_LENGTH : value.some(mayHoldCall)

const paymentOf = (inner: Inner): Payment[] =>
  inner.value === NO_VALUE
    ? []
    : [{ from: inner.account, to: inner.payee, value: inner.value, data: 'data' in inner ? inner.data : '0x' }]

const readInner = (inner: Inner, { nesting, readOwn, budget }: Surroundings): Read => {
  const place = { to: inner.to, account: inner.account, self: inner.self, nesting: nesting + 1, readOwn, budget }
  const found = [
    ...(inner.delegates ? [finding('danger', 'delegateCall', inner.to)] : []),
    ...(inner.value === NO_VALUE ? [] : [finding('caution', 'movesCoins', inner.to, inner.value)]),
  ]
  const paid = paymentOf(inner)
  if ('data' in inner && inner.data === '0x') return { acts: [], payments: paid, findings: found }
  const read = readDecoded('call' in inner ? { call: inner.call } : decode(inner.data, place), place)
  return { acts: read.acts, payments: [...paid, ...read.payments], findings: [...found, ...read.findings] }
}

const readAll = (calls: readonly Inner[], place: Surroundings): Read => {
  if (place.nesting === MAX_NESTING) return only(finding('danger', 'nestedTooDeep'))
  const read = calls.map(inner => readInner(inner, place))
  return {
    acts: read.flatMap(({ acts }) => acts),
    payments: read.flatMap(({ payments }) => payments),
    findings: once(read.flatMap(({ findings }) => findings)),
  }
}

const readKnown = (call: DecodedCall, by: string | undefined, place: Surroundings): Read => {
  if (by !== undefined) {
    const found = call.args.some(mayHoldCall) ? finding('caution', 'unknownCall') : finding('none', 'ownInterface', by)
    return only(found)
  }
  const calls = callsWithin(call, place, place.budget)
  if (calls) return readAll(calls, place)
  return { acts: actsOfCall({ call, to: place.to, account: place.account }), payments: [], findings: [] }
}

const readDecoded = ({ call, by }: Pick<ReadCall, 'call' | 'by'>, place: Surroundings): Read => {
  if (call === undefined) return only(finding('caution', 'unknownCall'))
  if (call.kind === 'malformed') return only(finding('danger', 'malformedCall', call.name))
  const { findings, ...read } = readKnown(call, by, place)
  return { ...read, findings: once([...findings, ...(call.unusual ? [finding('caution', 'unusualEncoding')] : [])]) }
}

const KNOWS_NONE: ReadOwn = () => undefined

/** Findings about the acts themselves come from `findingsOfActs`. `to` is null for a contract creation. */
export const readCall = (
  transaction: { from: string; to: string | null; data: Hex },
  readOwn: ReadOwn = KNOWS_NONE,
): ReadCall => {
  const { from, to, data } = transaction
  if (to === null) {
    const bytes = (data.length - 2) / 2
    return { call: undefined, ...only(finding('caution', 'createsContract', bytes)) }
  }
  if (data === '0x') return { call: undefined, ...only() }
  const place = { to, account: from, self: to, nesting: 0, readOwn, budget: { words: MAX_ARGUMENT_WORDS } }
  const decoded = decode(data, place)
  return { ...decoded, ...readDecoded(decoded, place) }
}

/** Reads calls that a signature lets others make, as if they were nested in a call. */
export const readCarried = (calls: readonly Inner[]): Read => {
  const nobody = { to: '', account: '', self: '' }
  return readAll(calls, { ...nobody, nesting: 0, readOwn: KNOWS_NONE, budget: { words: MAX_ARGUMENT_WORDS } })
}

/** The call in the form that pages show; null if it could not be decoded. */
export const viewOfCall = ({ call, by }: Pick<ReadCall, 'call' | 'by'>): CallView | null =>
  call?.kind === 'call'
    ? { name: call.name, signature: call.signature, args: call.args, ...(by !== undefined && { by }) }
    : null

/** The payments of nested calls in the form that pages show. The property is absent if there are none. */
export const paymentsIn = ({ payments }: Pick<ReadCall, 'payments'>): { payments?: readonly PaymentView[] } =>
  payments.length === 0 ? {} : { payments: payments.map(({ to, value }) => ({ to, value })) }
