/** What a transaction will do, as far as it can be told from the transaction itself. */
import { fromQuantity, show, toQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { TransactionRequest } from '@heliograph/shared/wire/node-methods'
import type { FeeView, Finding, TokenView, TransactionEffect } from '../../messages.ts'
import { choiceOf, type Filled, type FilledTransaction, highestFee, offerOf } from '../transactions/transaction.ts'
import { findingsOfActs, withItems } from './act-findings.ts'
import { limitOf } from './allowance.ts'
import { paymentsIn, type ReadCall, type ReadOwn, readCall, viewOfCall } from './call.ts'
import { fastOffer, reviewMarket, reviewPrice, reviewShare } from './fees.ts'
import { finding, once } from './findings.ts'

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** What the account cannot pay, no node takes. A transaction that is only signed may be paid for later. */
export const reviewFunds = (needed: bigint, balance: bigint): Finding[] =>
  needed > balance ? [finding('blocked', 'insufficientFunds', needed, balance, needed - balance)] : []

const reviewGas = (gas: bigint, needed: bigint | null): Finding[] =>
  needed !== null && gas < needed ? [finding('caution', 'gasTooLow', gas, needed)] : []

/** The calldata of a transaction and whom it is for. */
export const readTransaction = (
  { from, to, data }: Pick<FilledTransaction, 'from' | 'to' | 'data'>,
  readOwn?: ReadOwn,
): ReadCall => readCall({ from, to: to ?? null, data }, readOwn)

type Asked = Pick<FilledTransaction, 'from' | 'to' | 'data' | 'nonce' | 'value'>

/** Whether the wallet sends it. */
type Purpose = 'sign' | 'send'

/** What the transaction itself says, without its fee. */
const describe = (asked: Asked, purpose: Purpose, tokens: readonly TokenView[], readOwn?: ReadOwn) => {
  const { to = null, nonce = null, value, data } = asked
  const read = readTransaction(asked, readOwn)
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
    // What takes coins along as well is shown with all that it does, and is as the site asked for it.
    limit: call?.kind === 'call' && toQuantity(value) === 0n ? limitOf(call) : null,
    fee: null,
  }
  return { effect, findings: once([...findingsOfActs(acts, tokens), ...read.findings]) }
}

export type ReviewedTransaction = {
  effect: TransactionEffect & { fee: FeeView }
  findings: readonly Finding[]
}

/**
 * A pure function of the filled transaction; `purpose` says whether the wallet sends it or only signs it, `tokens` what
 * the contracts of the tokens in it say of themselves, and `readOwn` reads calls by the person's own interfaces.
 */
export const reviewTransaction = (
  { transaction, expected, balance, needed, failure, ownGas, market, speed }: Filled,
  purpose: Purpose,
  tokens: readonly TokenView[] = [],
  readOwn?: ReadOwn,
): ReviewedTransaction => {
  const { effect, findings } = describe(transaction, purpose, tokens, readOwn)
  const gas = toQuantity(transaction.gas)
  // What is not used is not paid.
  const used = smaller(gas, needed ?? gas)
  const fee = {
    gas: transaction.gas,
    used: fromQuantity(used),
    expected: fromQuantity(used * expected),
    atMost: fromQuantity(highestFee(transaction)),
  }
  return {
    effect: { ...effect, fee, fees: choiceOf(transaction), ...(speed && { speed }) },
    findings: [
      ...findings,
      ...(purpose === 'send' ? reviewFunds(toQuantity(transaction.value) + highestFee(transaction), balance) : []),
      ...reviewPrice(offerOf(transaction), market),
      ...reviewShare(highestFee(transaction), ownGas * fastOffer(market), balance),
      ...reviewMarket(market),
      ...reviewGas(gas, needed),
      ...(failure === null ? [] : [finding('caution', 'likelyToFail', show(failure))]),
    ],
  }
}

/** Why a network's node cannot be asked: it does not answer, or was never chosen. */
export const unreachable = ({ title, rpcUrl }: Network): Finding =>
  finding('blocked', rpcUrl === undefined ? 'rpcMissing' : 'unreachable', title)

/** The node has not answered yet: the request is completed when it does. */
export const waitingForNode = ({ title }: Network): Finding => finding('blocked', 'waitingForNode', title)

/** What can be told of a transaction without the node. It cannot be approved: see `unreachable`. */
export const reviewUnreached = (
  { value = '0x0', data = '0x', ...request }: TransactionRequest,
  purpose: Purpose,
  tokens: readonly TokenView[],
  readOwn?: ReadOwn,
): { effect: TransactionEffect; findings: readonly Finding[] } =>
  describe({ ...request, value, data }, purpose, tokens, readOwn)
