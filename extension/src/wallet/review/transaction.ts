/** Reviews a transaction's own fields, calldata and fee. */
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity, encodeQuantity } from '@heliograph/shared/evm/hex'
import { show } from '@heliograph/shared/evm/value-error'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/site-transaction'
import type { Act, FeeView, Finding, RevertView, TokenView, TransactionEffect } from '../../messages.ts'
import { choiceOf, type Filled, type FilledTransaction, highestFee, offerOf } from '../fees/filled.ts'
import { highestL1Fee } from '../fees/l1-fee.ts'
import { actsOfCall } from './acts.ts'
import { limitOf } from './allowance.ts'
import { withItems } from './allowances.ts'
import { paymentsIn, type ReadCall, type ReadOwn, readCall, viewOfCall } from './call.ts'
import { fastOffer, reviewMarket, reviewPrice, reviewShare } from './fees.ts'
import { finding, once } from './findings.ts'

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Blocks a transaction that the account cannot pay, because nodes reject it. */
export const reviewFunds = (needed: bigint, balance: bigint): Finding[] =>
  needed > balance ? [finding('blocked', 'insufficientFunds', needed, balance, needed - balance)] : []

const reviewGas = (gas: bigint, needed: bigint | null): Finding[] =>
  needed !== null && gas < needed ? [finding('caution', 'gasTooLow', gas, needed)] : []

/** Reads a transaction's calldata. `readOwn` decodes calls with the user's interfaces. */
export const readTransaction = (
  { from, to, data = '0x' }: Pick<TransactionRequest, 'from' | 'to' | 'data'>,
  readOwn?: ReadOwn,
): ReadCall => readCall({ from, to: to ?? null, data }, readOwn)

/** True for a token's own function. */
const isOfToken = (acts: readonly Act[], to: string): boolean =>
  acts.some(act => 'token' in act && sameAddress(act.token, to))

/** Reports coins that are sent along with a direct call to a token's function. */
const reviewCoins = ({ from, to, value }: Asked, { call }: ReadCall): Finding[] =>
  to && call?.kind === 'call' && decodeQuantity(value) > 0n && isOfToken(actsOfCall({ call, to, account: from }), to)
    ? [finding('caution', 'coinsToToken', to)]
    : []

type Asked = Pick<FilledTransaction, 'from' | 'to' | 'data' | 'nonce' | 'value'>

/** Whether the wallet sends the transaction or only signs it. */
type Purpose = 'sign' | 'send'

/** Describes a transaction without its fee. */
const describe = (asked: Asked, purpose: Purpose, tokens: readonly TokenView[], read: ReadCall) => {
  const { to = null, nonce = null, value, data } = asked
  const { call } = read
  const acts = withItems(read.acts, tokens)
  const effect: TransactionEffect = {
    kind: 'transaction',
    broadcast: purpose === 'send',
    to,
    value,
    data,
    nonce,
    call: viewOfCall(read),
    acts,
    ...paymentsIn(read),
    tokens,
    // If the call also pays native currency, its allowance cannot be changed.
    limit: call?.kind === 'call' && decodeQuantity(value) === 0n ? limitOf(call) : null,
    fee: null,
  }
  return { effect, findings: once([...read.findings, ...reviewCoins(asked, read)]) }
}

/** Reports that the displayed fee does not include the L1 fee, because it is unknown. */
export const reviewL1Fee = (l1Fee: bigint | null | undefined): Finding[] =>
  l1Fee === null ? [finding('caution', 'l1FeeUnknown')] : []

export type ReviewedTransaction = {
  effect: TransactionEffect & { fee: FeeView }
  findings: readonly Finding[]
}

/** Reports why estimation failed. The values are the quoted text, or an empty text and the reason. */
export const reviewFailure = (failure: RevertView | null): Finding[] => {
  if (failure === null) return []
  const values = typeof failure === 'string' ? [show(failure)] : ['', failure.reason]
  return [finding('caution', 'likelyToFail', ...values)]
}

/**
 * Reviews a filled transaction. `tokens` are the token contracts' own metadata, `read` is the calldata as read before.
 */
export const reviewTransaction = (
  { transaction, expected, balance, needed, failure, ownGas, market, speed, l1Fee }: Filled,
  purpose: Purpose,
  tokens: readonly TokenView[] = [],
  read: ReadCall = readTransaction(transaction),
): ReviewedTransaction => {
  const { effect, findings } = describe(transaction, purpose, tokens, read)
  const gas = decodeQuantity(transaction.gas)
  // Unused gas is not charged, so the expected fee is for the estimated gas.
  const used = smaller(gas, needed ?? gas)
  const fee = {
    gas: transaction.gas,
    used: encodeQuantity(used),
    expected: encodeQuantity(used * expected + (l1Fee ?? 0n)),
    atMost: encodeQuantity(highestFee(transaction) + highestL1Fee(l1Fee)),
    ...(l1Fee != null && { l1: encodeQuantity(l1Fee) }),
  }
  // The balance that nodes require. The L1 fee is added at its current price, because the transaction does not limit
  // it.
  const cost = decodeQuantity(transaction.value) + highestFee(transaction) + (l1Fee ?? 0n)
  return {
    effect: { ...effect, fee, fees: choiceOf(transaction), ...(speed && { speed }) },
    findings: [
      ...findings,
      ...(purpose === 'send' ? reviewFunds(cost, balance) : []),
      ...reviewPrice(offerOf(transaction), market),
      ...reviewShare(highestFee(transaction), ownGas * fastOffer(market), balance),
      ...reviewMarket(market),
      ...reviewGas(gas, needed),
      ...reviewL1Fee(l1Fee),
      ...reviewFailure(failure),
    ],
  }
}

/** Reports that the network's node does not respond, or that no RPC URL is set. */
export const unreachable = ({ title, rpcUrls }: Network): Finding =>
  finding('blocked', rpcUrls.length === 0 ? 'rpcMissing' : 'unreachable', title)

/** Reports that the node has not responded yet. The request is completed when it does. */
export const waitingForNode = ({ title }: Network): Finding => finding('blocked', 'waitingForNode', title)

/** Reviews a transaction while its node is unreachable. It cannot be approved: see `unreachable`. */
export const reviewUnreached = (
  request: TransactionRequest,
  purpose: Purpose,
  tokens: readonly TokenView[],
  read: ReadCall = readTransaction(request),
): { effect: TransactionEffect; findings: readonly Finding[] } => {
  const { value = '0x0', data = '0x' } = request
  return describe({ ...request, value, data }, purpose, tokens, read)
}
