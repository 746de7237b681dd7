/**
 * Queries the node about a request's addresses in one JSON-RPC batch: which have code, and which are Safes or tokens.
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { decodeData, decodeQuantity, encodeQuantity, isHex } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { Act, AddressFacts, PaymentView, SafeView } from '../../messages.ts'
import type { Outcome } from '../networks/answers.ts'
import { askAll, type Question } from '../networks/node.ts'
import { quantityOf } from '../networks/quantities.ts'
import type { Context } from '../requests/context.ts'
import { tokenActsIn } from '../review/allowances.ts'
import type { ReadCall } from '../review/call.ts'
import { type AddressChecks, type OutgoingCall, tokensOfAct } from '../review/destinations.ts'
import { partiesOfAct } from '../review/parties.ts'
import { readTransaction } from '../review/transaction.ts'
import { balanceCall, balanceIn } from '../tokens/token-contracts.ts'

/** Maximum number of addresses queried per request. */
const MAX_ADDRESSES = 64
const MAX_SAFES = 4
const ADDRESS_LENGTH = 42
/** `symbol()` of https://eips.ethereum.org/EIPS/eip-20 and https://eips.ethereum.org/EIPS/eip-721 */
const SYMBOL = '0x95d89b41'
/** `getOwners()` of a Safe: https://github.com/safe-global/safe-smart-account */
const GET_OWNERS = '0xa0e67e2b'
const { parameters: owners } = parseFunction('answer(address[] owners)')
/** Code prefix of an account that delegates to a contract's code: https://eips.ethereum.org/EIPS/eip-7702 */
const DELEGATION = '0xef0100'

/** The parts of a request that concern its addresses. `safes` are contracts that may be Safes of the account. */
export type Addressed = {
  account: Address
  calls: readonly OutgoingCall[]
  acts: readonly Act[]
  payments: readonly PaymentView[]
  safes: readonly string[]
}

const NOTHING: AddressChecks = { withoutCode: [], withCode: [], delegated: [], tokens: [], safes: [] }

/** False for recipients on other kinds of chains, whose addresses are longer. */
const isAddress = (text: string) => isHex(text) && text.length === ADDRESS_LENGTH

const distinct = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.filter(isAddress).map(address => [address.toLowerCase(), address])).values(),
]

const hexOf = (outcome: Outcome | undefined): string | null =>
  outcome && 'result' in outcome && isHex(outcome.result) ? outcome.result : null

const isCalled = ({ data }: OutgoingCall) => data !== '0x'
const targetOf = ({ to }: OutgoingCall) => to ?? []

const EXECUTES = /^exec(?:ute)?(?:Transaction|UserOp)/

/** Returns the contracts that act in the account's name. */
const actorsOf = ({ account, acts, payments }: Pick<Addressed, 'account' | 'acts' | 'payments'>): string[] =>
  [
    ...payments.map(({ from }) => from),
    ...acts.flatMap(act => (act.kind === 'transfer' ? [act.from] : act.kind === 'control' ? [act.of] : [])),
  ].filter(address => !sameAddress(address, account))

/**
 * Returns the transaction and the payments of its nested calls, each as a separate call, with all of the transaction's
 * acts.
 */
export const addressesOf = (request: TransactionRequest, read: ReadCall = readTransaction(request)): Addressed => {
  const { from, to = null, value = '0x0', data = '0x' } = request
  const { call, acts, payments } = read
  const paid = payments.map(payment => ({ ...payment, value: BigInt(payment.value), acts: [] }))
  const isOfSafe = to !== null && call !== undefined && EXECUTES.test(call.name)
  return {
    account: from,
    calls: [{ from, to, value: decodeQuantity(value), data, acts: tokenActsIn(acts) }, ...paid],
    acts,
    payments,
    safes: isOfSafe ? [to] : [],
  }
}

/** A contract that may be a Safe, and the tokens that the request moves from it. */
type Candidate = { address: string; tokens: readonly string[] }

const candidatesIn = (requests: readonly Addressed[]): Candidate[] =>
  distinct(requests.flatMap(request => [...request.safes, ...actorsOf(request)]))
    .slice(0, MAX_SAFES)
    .map(address => {
      const moved = requests
        .flatMap(({ acts }) => acts)
        .flatMap(act => (act.kind === 'transfer' && sameAddress(act.from, address) ? [act.token] : []))
      return { address, tokens: distinct(moved).slice(0, MAX_SAFES) }
    })

const safeQuestions = ({ address, tokens }: Candidate): Question[] => [
  { method: 'eth_getStorageAt', params: [address, '0x0', 'latest'] },
  { method: 'eth_call', params: [{ to: address, data: GET_OWNERS }, 'latest'] },
  { method: 'eth_getBalance', params: [address, 'latest'] },
  ...tokens.map(token => ({
    method: 'eth_call',
    params: [balanceCall(toAddress(token.toLowerCase()), toAddress(address.toLowerCase())), 'latest'],
  })),
]

const isOwnerIn = (answer: string | null, account: string): boolean => {
  try {
    const [list] = decodeArguments(decodeData(answer), owners)
    const found = Array.isArray(list?.value) ? list.value : []
    return found.some(({ value }) => sameAddress(String(value), account))
  } catch {
    return false
  }
}

const encodedOrNull = (wei: bigint | null): string | null => (wei === null ? null : encodeQuantity(wei))

/** Identifies a Safe: the first word of its storage is the address of its code. */
const safeOf = (
  { address, tokens }: Candidate,
  [storage, list, balance, ...held]: readonly Outcome[],
  account: string,
): SafeView => ({
  address,
  singleton: toAddress(`0x${(hexOf(storage) ?? '').slice(2).padStart(40, '0').slice(-40).toLowerCase()}`),
  isOwner: isOwnerIn(hexOf(list), account),
  balance: encodedOrNull(quantityOf(balance)),
  held: tokens.flatMap((token, at) => {
    const amount = balanceIn(held[at])
    return amount === null ? [] : [{ token, amount }]
  }),
})

/** Returns the addresses of which the review must know whether they have code, the most important ones first. */
export const addressesToCheck = (requests: readonly Addressed[]): readonly string[] => {
  const calls = requests.flatMap(request => request.calls)
  // Addresses with rights come first, so they are checked even if there are more recipients than the limit.
  const isRight = ({ kind }: Act) => kind !== 'transfer' && kind !== 'order'
  const parties = requests.flatMap(({ acts, payments }) => [
    ...acts.filter(isRight).flatMap(partiesOfAct),
    ...payments.map(({ to }) => to),
    ...acts.flatMap(partiesOfAct),
  ])
  return distinct([
    ...calls.filter(isCalled).flatMap(targetOf),
    ...parties,
    ...calls.flatMap(({ acts }) => acts.flatMap(tokensOfAct)),
    ...calls.flatMap(targetOf),
  ]).slice(0, MAX_ADDRESSES)
}

/** Runs the checks. Never throws. Unanswered queries count as unknown. */
export const checkAddresses = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  requests: readonly Addressed[],
): Promise<AddressChecks> => {
  const calls = requests.flatMap(request => request.calls)
  const [account = ''] = requests.map(request => request.account)
  const called = addressesToCheck(requests)
  const paid = distinct(calls.filter(call => !isCalled(call)).flatMap(targetOf)).slice(0, MAX_ADDRESSES)
  const safes = candidatesIn(requests)
  const questions: Question[] = [
    ...called.map(address => ({ method: 'eth_getCode', params: [address, 'latest'] })),
    ...paid.map(address => ({ method: 'eth_call', params: [{ to: address, data: SYMBOL }, 'latest'] })),
    ...safes.flatMap(safeQuestions),
  ]
  if (questions.length === 0) return NOTHING
  try {
    const outcomes = await askAll(chain, network, questions)
    const answers = outcomes.map(hexOf)
    const codeOf = (at: number) => answers[at]?.toLowerCase() ?? null
    const ofSafes = called.length + paid.length
    return {
      withoutCode: called.filter((_, at) => codeOf(at) === '0x'),
      withCode: called.filter((_, at) => (codeOf(at) ?? '0x') !== '0x'),
      delegated: called.filter((_, at) => codeOf(at)?.startsWith(DELEGATION)),
      // A call to an account without code returns empty data, so such an account is not a token contract.
      tokens: paid.filter((_, at) => (answers[called.length + at] ?? '0x') !== '0x'),
      safes: safes.map((safe, at) => {
        const from = safes.slice(0, at).reduce((sum, before) => sum + safeQuestions(before).length, ofSafes)
        return safeOf(safe, outcomes.slice(from, from + safeQuestions(safe).length), account)
      }),
    }
  } catch {
    return NOTHING
  }
}

/** Returns the facts that the judge needs, without the paid tokens. */
export const factsOf = ({ tokens: _, ...facts }: AddressChecks): AddressFacts => facts
