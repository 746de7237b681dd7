/** What the data of a transaction asks of a contract, the calls within a call among it. */
import { type Budget, MAX_WORDS } from '@heliograph/shared/evm/abi-decode'
import { type Call, type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { CallView, Finding, FindingName, RiskLevel, TokenAct } from '../../messages.ts'
import { actsOfCall } from './acts.ts'

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

const finding = (level: Finding['level'], name: FindingName, ...values: readonly unknown[]): Finding => ({
  level,
  name,
  values: values.map(String),
})

const isSameFinding = (one: Finding, other: Finding) => JSON.stringify(one.values) === JSON.stringify(other.values)

const LEVELS = ['none', 'caution', 'danger', 'blocked'] as const
const higher = (one: RiskLevel, other: RiskLevel): RiskLevel =>
  LEVELS.indexOf(one) < LEVELS.indexOf(other) ? other : one

/**
 * Each finding once, at its highest level and in the place of the first. Where the values differ there are none: those of
 * one do not stand for all.
 */
export const once = (findings: readonly Finding[]): Finding[] => {
  const found = new Map<FindingName, Finding>()
  for (const next of findings) {
    const before = found.get(next.name) ?? next
    const values = isSameFinding(before, next) ? next.values : []
    found.set(next.name, { name: next.name, level: higher(before.level, next.level), values })
  }
  return [...found.values()]
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export const findingsOfAct = (act: TokenAct): Finding[] => {
  if (act.kind === 'allow' && act.amount === null) return [finding('danger', 'unlimitedAllowance', act.token)]
  if (act.kind === 'allowAll' && act.allowed) return [finding('danger', 'approvalForAll', act.token)]
  if (act.kind === 'transfer' && isSame(act.to, act.token)) return [finding('danger', 'sentToToken', act.token)]
  return []
}

const innerCalls = (call: DecodedCall): Hex[] => {
  const inner = call.args.find(({ name }) => name === 'data')?.value ?? []
  return typeof inner === 'string' ? [] : inner.map(({ value }) => value as Hex)
}

type DecodedCall = Extract<Call, { kind: 'call' }>
type Read = Omit<ReadCall, 'call' | 'by'>
type Place = { to: string; account: string; nesting: number; readOwn: ReadOwn; budget: Budget }

/** The wallet's own table comes first: what it says of a function no interface can say otherwise. */
const decode = (data: Hex, { to, readOwn, budget }: Place): Pick<ReadCall, 'call' | 'by'> => {
  const call = decodeCall(data, budget)
  return call ? { call } : (readOwn(to, data, budget) ?? { call })
}

const SELECTOR_LENGTH = 10

/** Bytes that may be another call, whatever the interface calls them. */
const mayHoldCall = ({ type, value }: CallArgument): boolean =>
  typeof value === 'string' ? type === 'bytes' && value.length >= SELECTOR_LENGTH : value.some(mayHoldCall)

const readKnown = (call: DecodedCall, by: string | undefined, place: Place): Read => {
  if (by !== undefined) {
    const found = call.args.some(mayHoldCall) ? finding('caution', 'unknownCall') : finding('none', 'ownInterface', by)
    return { acts: [], findings: [found] }
  }
  if (call.name === 'multicall') {
    if (place.nesting === MAX_NESTING) return { acts: [], findings: [finding('danger', 'nestedTooDeep')] }
    const deeper = { ...place, nesting: place.nesting + 1 }
    const inner = innerCalls(call).map(data => readDecoded(decode(data, deeper), deeper))
    return { acts: inner.flatMap(({ acts }) => acts), findings: inner.flatMap(({ findings }) => findings) }
  }
  const acts = actsOfCall({ call, to: place.to, account: place.account })
  return { acts, findings: acts.flatMap(findingsOfAct) }
}

const readDecoded = ({ call, by }: Pick<ReadCall, 'call' | 'by'>, place: Place): Read => {
  if (call === undefined) return { acts: [], findings: [finding('caution', 'unknownCall')] }
  if (call.kind === 'malformed') return { acts: [], findings: [finding('danger', 'malformedCall', call.why)] }
  const { acts, findings } = readKnown(call, by, place)
  return { acts, findings: once([...findings, ...(call.unusual ? [finding('caution', 'unusualEncoding')] : [])]) }
}

const KNOWS_NONE: ReadOwn = () => undefined

/** `to` is null for the creation of a contract. */
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
  const place = { to, account: from, nesting: 0, readOwn, budget: { words: MAX_WORDS } }
  const decoded = decode(data, place)
  return { ...decoded, ...readDecoded(decoded, place) }
}

/** A call as pages see it; null where it could not be read. */
export const viewOfCall = ({ call, by }: Pick<ReadCall, 'call' | 'by'>): CallView | null =>
  call?.kind === 'call'
    ? { name: call.name, signature: call.signature, args: call.args, ...(by !== undefined && { by }) }
    : null
