/** Reads a transaction's calldata, including nested calls. */
import { MAX_ARGUMENT_WORDS, type ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { toAddress } from '@heliograph/shared/evm/address'
import { type Call, type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Act, CallAct, CallView, Finding, PaymentView } from '../../messages.ts'
import { actsOfCall } from './acts.ts'
import { finding, once } from './findings.ts'
import { callsWithin, type DecodedCall, type Frame, type Inner, NO_VALUE } from './wrappers.ts'

/** A call decoded with an interface that the user added. `by` is the interface's name. */
type OwnCall = { call: Call; by: string }
/** Decodes a call that is not in the wallet's own table. Undefined if no added interface has the function. */
export type ReadOwn = (to: string, data: Hex, budget?: ReadBudget) => OwnCall | undefined

/**
 * `call` is undefined if the function is unknown or there is no calldata. `by` is absent if the function is in the
 * wallet's own table.
 */
export type ReadCall = {
  call: Call | undefined
  by?: string
  acts: readonly Act[]
  payments: readonly Payment[]
  findings: readonly Finding[]
}

/** A payment of native currency by a nested call, in wei. */
export type Payment = PaymentView & { data: Hex }

/** Maximum nesting of calls. Deeper calls are reported as a danger. */
const MAX_NESTING = 16

type Read = Omit<ReadCall, 'call' | 'by'>
const only = (...findings: readonly Finding[]): Read => ({ acts: [], payments: [], findings })
type Surroundings = Frame & { nesting: number; readOwn: ReadOwn; budget: ReadBudget }

/** Decodes a call. The wallet's own table takes precedence, so an added interface cannot rename a known function. */
const decode = (data: Hex, { to, readOwn, budget }: Surroundings): Pick<ReadCall, 'call' | 'by'> => {
  const call = decodeCall(data, budget)
  return call ? { call } : (readOwn(to, data, budget) ?? { call })
}

const SELECTOR_LENGTH = 10

/** True for `bytes` that are long enough to hold a selector, at any depth. */
const mayHoldCall = ({ type, value }: CallArgument): boolean =>
  typeof value === 'string' ? type === 'bytes' && value.length >= SELECTOR_LENGTH : value.some(mayHoldCall)

const paymentOf = (inner: Inner): Payment[] =>
  inner.value === NO_VALUE
    ? []
    : [
        {
          from: inner.account,
          to: inner.payee,
          value: inner.value,
          data: 'data' in inner ? inner.data : '0x',
          ...(inner.isRefund && { isRefund: true }),
        },
      ]

/** Returns the act of a delegatecall, in which another contract's code runs as the calling contract. */
const codeOf = ({ delegates, self, to }: Inner): Act[] =>
  delegates ? [{ kind: 'control', right: 'code', of: self, to }] : []

const readInner = (inner: Inner, { nesting, readOwn, budget }: Surroundings): Read => {
  const place = { to: inner.to, account: inner.account, self: inner.self, nesting: nesting + 1, readOwn, budget }
  const code = codeOf(inner)
  const paid = paymentOf(inner)
  if ('data' in inner && inner.data === '0x') return { acts: code, payments: paid, findings: [] }
  const data = 'data' in inner ? inner.data : '0x'
  const read = readDecoded('call' in inner ? { call: inner.call } : decode(inner.data, place), place, data)
  return { ...read, acts: [...code, ...read.acts], payments: [...paid, ...read.payments] }
}

/** Removes duplicate call acts: all calls in a multicall go to the same contract. */
const distinctActs = (acts: readonly Act[]): Act[] => {
  const seen = new Set<string>()
  return acts.filter(act => {
    if (act.kind !== 'call') return true
    const key = JSON.stringify(act).toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}

const readAll = (calls: readonly Inner[], place: Surroundings): Read => {
  if (place.nesting === MAX_NESTING) return only(finding('danger', 'nestedTooDeep'))
  const read = calls.map(inner => readInner(inner, place))
  return {
    acts: distinctActs(read.flatMap(({ acts }) => acts)),
    payments: read.flatMap(({ payments }) => payments),
    findings: once(read.flatMap(({ findings }) => findings)),
  }
}

/** Number of hex digits in a word, in `0x`, and in a selector. */
const WORD = 64
const PREFIX = 2
const SELECTOR_DIGITS = 8
const ZEROS = '0'.repeat(24)
/**
 * Zeros that follow an address's padding (ZEROS). A word with this many zeros counts as a number, because nobody can
 * create an address that starts with them.
 */
const NUMBER = '0'.repeat(16)
/** Maximum number of addresses returned. */
const MAX_NAMED = 64

const isAddressWord = (word: string): boolean =>
  word.length === WORD && word.startsWith(ZEROS) && !word.startsWith(NUMBER, ZEROS.length) && !/f{16}$/.test(word)

/**
 * Returns the addresses in calldata that cannot be decoded: words that have the form of an address, in order and
 * without duplicates.
 */
export const addressesInWords = (data: Hex): string[] => {
  const found = new Set<string>()
  for (let at = PREFIX + SELECTOR_DIGITS; at < data.length && found.size < MAX_NAMED; at += WORD) {
    const word = data.slice(at, at + WORD).toLowerCase()
    if (isAddressWord(word)) found.add(toAddress(`0x${word.slice(ZEROS.length)}`))
  }
  return [...found]
}

const callTo = (contract: string, readable: boolean, data: Hex): CallAct => ({
  kind: 'call',
  contract,
  readable,
  named: readable ? [] : addressesInWords(data),
})

/** Reads a call to a function in one of the user's interfaces. Calls in its arguments are not read. */
const readOwned = (call: DecodedCall, by: string, { to }: Surroundings, data: Hex): Read => {
  const holdsCall = call.args.some(mayHoldCall)
  return {
    ...only(...(holdsCall ? [] : [finding('none', 'ownInterface', by)])),
    acts: [{ ...callTo(to, !holdsCall, data), by }],
  }
}

const readKnown = (call: DecodedCall, place: Surroundings, data: Hex): Read => {
  const { to, account } = place
  const calls = callsWithin(call, place, place.budget)
  const within = calls ? readAll(calls, place) : only()
  const acts = [...within.acts, ...actsOfCall({ call, to, account }), callTo(to, true, data)]
  return { ...within, acts: distinctActs(acts) }
}

const readDecoded = ({ call, by }: Pick<ReadCall, 'call' | 'by'>, place: Surroundings, data: Hex): Read => {
  if (call === undefined) return { ...only(), acts: [callTo(place.to, false, data)] }
  if (call.kind === 'malformed') return only(finding('danger', 'malformedCall', call.name))
  const read = by === undefined ? readKnown(call, place, data) : readOwned(call, by, place, data)
  const unusual = call.unusual ? [finding('caution', 'unusualEncoding')] : []
  return { ...read, findings: once([...read.findings, ...unusual]) }
}

const KNOWS_NONE: ReadOwn = () => undefined

/** Reads a call. The acts are judged later: see judge.ts. `to` is null for a contract creation. */
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
  return { ...decoded, ...readDecoded(decoded, place, data) }
}

/** Reads the calls that a signature authorizes in the same way as calls nested in a call. */
export const readCarried = (calls: readonly Inner[]): Read => {
  const nobody = { to: '', account: '', self: '' }
  return readAll(calls, { ...nobody, nesting: 0, readOwn: KNOWS_NONE, budget: { words: MAX_ARGUMENT_WORDS } })
}

/** Returns the call in the form that pages show. Null if it could not be decoded. */
export const viewOfCall = ({ call, by }: Pick<ReadCall, 'call' | 'by'>): CallView | null =>
  call?.kind === 'call'
    ? { name: call.name, signature: call.signature, args: call.args, ...(by !== undefined && { by }) }
    : null

/** Returns the nested calls' payments in the form that pages show. The property is absent if there are none. */
export const paymentsIn = ({ payments }: Pick<ReadCall, 'payments'>): { payments?: readonly PaymentView[] } =>
  payments.length === 0 ? {} : { payments: payments.map(({ data: _, ...payment }) => payment) }
