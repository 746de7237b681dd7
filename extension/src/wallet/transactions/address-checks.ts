/** Queries the node about the addresses of a transaction, in one JSON-RPC batch. */
import { decodeQuantity, isHex } from '@heliograph/shared/evm/hex'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import { askAll, type Outcome, type Question } from '../networks/node.ts'
import type { Context } from '../requests/context.ts'
import { type AddressChecks, type OutgoingCall, tokensOfAct } from '../review/destinations.ts'
import { readTransaction } from '../review/transaction.ts'

/** Maximum addresses queried per request. */
const MAX_ADDRESSES = 64
/** `symbol()` of https://eips.ethereum.org/EIPS/eip-20 and https://eips.ethereum.org/EIPS/eip-721 */
const SYMBOL = '0x95d89b41'

const NOTHING: AddressChecks = { withoutCode: [], tokens: [] }

const distinct = (addresses: readonly string[]): string[] =>
  [...new Map(addresses.map(address => [address.toLowerCase(), address])).values()].slice(0, MAX_ADDRESSES)

const hexOf = (outcome: Outcome | undefined): string | null =>
  outcome && 'result' in outcome && isHex(outcome.result) ? outcome.result : null

const isCalled = ({ data }: OutgoingCall) => data !== '0x'
const targetOf = ({ to }: OutgoingCall) => to ?? []

/** The transaction and the payments of its inner calls, each as a separate call. */
export const outgoingCallsOf = (request: TransactionRequest): OutgoingCall[] => {
  const { from, to = null, value = '0x0', data = '0x' } = request
  const { acts, payments } = readTransaction({ ...request, data })
  const paid = payments.map(payment => ({ ...payment, value: BigInt(payment.value), acts: [] }))
  return [{ from, to, value: decodeQuantity(value), data, acts }, ...paid]
}

/** Never throws. Unanswered queries count as unknown. */
export const checkAddresses = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  calls: readonly OutgoingCall[],
): Promise<AddressChecks> => {
  const called = distinct([
    ...calls.filter(isCalled).flatMap(targetOf),
    ...calls.flatMap(({ acts }) => acts.flatMap(tokensOfAct)),
  ])
  const paid = distinct(calls.filter(call => !isCalled(call)).flatMap(targetOf))
  const questions: Question[] = [
    ...called.map(address => ({ method: 'eth_getCode', params: [address, 'latest'] })),
    ...paid.map(address => ({ method: 'eth_call', params: [{ to: address, data: SYMBOL }, 'latest'] })),
  ]
  try {
    const answers = (await askAll(chain, network, questions)).map(hexOf)
    return {
      withoutCode: called.filter((_, at) => answers[at] === '0x'),
      // A call to an account without code returns no data.
      tokens: paid.filter((_, at) => (answers[called.length + at] ?? '0x') !== '0x'),
    }
  } catch {
    return NOTHING
  }
}
