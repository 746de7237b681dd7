/** What a transaction will do, as far as it can be told from the transaction itself. */
import { type Call, type CallArgument, decodeCall } from '@heliograph/shared/evm/calldata'
import { fromQuantity, type Hex, show, toQuantity } from '@heliograph/shared/evm/hex'
import type { Effect, Finding, FindingName } from '../../messages.ts'
import { type Filled, highestFee } from '../transaction.ts'
import type { Review } from './message.ts'

type DecodedCall = Extract<Call, { kind: 'call' }>

const argument = (call: DecodedCall, name: string) => call.args.find(arg => arg.name === name)

/** All arguments, those in tuples and arrays among them. */
const flatten = (args: readonly CallArgument[]): CallArgument[] =>
  args.flatMap(arg => (typeof arg.value === 'string' ? [arg] : flatten(arg.value)))

/** An amount from half of what its type can hold upwards has no bound, whatever its exact digits. */
const isUnlimited = ({ name, type, value }: CallArgument): boolean => {
  const bits = /^uint(\d+)$/.exec(type)?.[1]
  return name === 'value' && bits !== undefined && BigInt(String(value)) >> (BigInt(bits) - 1n) !== 0n
}

/** DAI's permit knows no amount: it allows everything or nothing. */
const allowsEverything = ({ name, value }: CallArgument) => name === 'allowed' && value === 'true'

const finding = (level: Finding['level'], name: FindingName, ...values: readonly unknown[]): Finding => ({
  level,
  name,
  values: values.map(String),
})

const allowanceNames = new Set(['approve', 'increaseAllowance', 'increaseApproval', 'permit'])

/** Calls in calls are looked into this deep; what is deeper counts as unknown. */
const MAX_NESTING = 3

const innerCalls = (call: DecodedCall): Hex[] => {
  const inner = argument(call, 'data')?.value ?? []
  return typeof inner === 'string' ? [] : inner.map(({ value }) => value as Hex)
}

const findingsOf = (call: Call | undefined, nesting = 0): Finding[] => {
  if (call === undefined || nesting > MAX_NESTING) return [finding('caution', 'unknownCall')]
  if (call.kind === 'malformed') return [finding('caution', 'malformedCall', call.why)]
  if (call.name === 'multicall') return innerCalls(call).flatMap(data => findingsOf(decodeCall(data), nesting + 1))
  if (call.name === 'setApprovalForAll')
    return argument(call, 'approved')?.value === 'true' ? [finding('danger', 'approvalForAll')] : []
  if (!allowanceNames.has(call.name)) return []
  return flatten(call.args).some(arg => isUnlimited(arg) || allowsEverything(arg))
    ? [finding('danger', 'unlimitedAllowance')]
    : []
}

const reviewCall = (data: Hex, to: string | null, call: Call | undefined): Finding[] => {
  if (to === null) return [finding('caution', 'createsContract', (data.length - 2) / 2)]
  return data === '0x' ? [] : findingsOf(call)
}

/** What the account cannot pay, no node takes. A transaction that is only signed may be paid for later. */
const reviewFunds = (needed: bigint, balance: bigint): Finding[] =>
  needed > balance ? [finding('blocked', 'insufficientFunds', needed, balance, needed - balance)] : []

/** Several calls in one may give the same finding over and over. */
const once = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map(found => [found.name, found])).values(),
]

/** A pure function of the filled transaction; `purpose` says whether the wallet sends it or only signs it. */
export const reviewTransaction = (
  { transaction, expected, balance, failure }: Filled,
  purpose: 'sign' | 'send',
): Review => {
  const { to = null, nonce = null, value, data, gas } = transaction
  const call = to === null ? undefined : decodeCall(data)
  const effect: Effect = {
    kind: 'transaction',
    broadcast: purpose === 'send',
    to,
    value,
    data,
    nonce,
    call: call?.kind === 'call' ? { name: call.name, signature: call.signature, args: call.args } : null,
    fee: {
      gas,
      expected: fromQuantity(toQuantity(gas) * expected),
      atMost: fromQuantity(highestFee(transaction)),
    },
  }
  const findings = [
    ...once(reviewCall(data, to, call)),
    ...(purpose === 'send' ? reviewFunds(toQuantity(value) + highestFee(transaction), balance) : []),
    ...(failure === null ? [] : [finding('caution', 'likelyToFail', show(failure))]),
  ]
  return { effect, findings }
}
