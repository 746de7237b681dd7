/** Exchange orders: the maximum that the account gives, and the minimum that it gets. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import type { AmountView, TokenAct } from '../../messages.ts'
import { ZERO } from './call-arguments.ts'
import { finding } from './findings.ts'
import { ADDRESS, AMOUNT, type Given, has, list, type Reader, structIn, text } from './typed-fields.ts'

const ITEM = { itemType: AMOUNT, token: ADDRESS, identifierOrCriteria: AMOUNT, startAmount: AMOUNT, endAmount: AMOUNT }
const ITEM_WITH_ID = 2n
/**
 * Lowest Seaport item type with criteria. For this type and higher ones, the identifier selects a set of token ids, not
 * a single one.
 */
const ITEM_OF_SET = 4n
const isOfSet = (item: Given) => BigInt(text(item, 'itemType')) >= ITEM_OF_SET

/** Reads an item of a Seaport order. If its amount changes over time, uses the amount that is worse for the signer. */
const seaportItem = (item: Given, worse: 'most' | 'least'): AmountView => {
  const [start, end] = [BigInt(text(item, 'startAmount')), BigInt(text(item, 'endAmount'))]
  const counts = worse === 'most' ? start > end : start < end
  const token = text(item, 'token')
  return {
    token: ZERO.test(token) ? null : token,
    amount: String(counts ? start : end),
    id: BigInt(text(item, 'itemType')) >= ITEM_WITH_ID ? text(item, 'identifierOrCriteria') : null,
    ...(isOfSet(item) && { ofSet: true }),
  }
}

type Order = TokenAct & { kind: 'order' }

/** Creates an order. `others` is absent if it is empty. */
export const orderAct = ({ gives, gets, others, until }: Required<Omit<Order, 'kind' | 'taker'>>): Order => ({
  kind: 'order',
  gives,
  gets,
  ...(others.length > 0 && { others }),
  until,
})

/**
 * Reads an order of https://github.com/ProjectOpenSea/seaport. Undefined if it offers nothing, or has items in another
 * form.
 */
const orderOf = (data: TypedData, order: Given, account: string): TokenAct | undefined => {
  const [offer, consideration] = [list(data, order, 'offer'), list(data, order, 'consideration')]
  if (offer.length === 0 || ![...offer, ...consideration].every(item => has(item, ITEM))) return undefined
  const isOwn = (item: Given) => sameAddress(text(item, 'recipient'), account)
  const until = has(order, { endTime: AMOUNT }) ? text(order, 'endTime') : null
  return orderAct({
    gives: offer.map(item => seaportItem(item, 'most')),
    gets: consideration.filter(isOwn).map(item => seaportItem(item, 'least')),
    others: consideration
      .filter(item => !isOwn(item) && has(item, { recipient: ADDRESS }))
      .map(item => ({ ...seaportItem(item, 'most'), to: text(item, 'recipient') })),
    until,
  })
}

export const seaport: Reader = (data, message, account) => {
  const act = orderOf(data, message, account)
  return act && { form: 'order', acts: [act] }
}

/** Reads a Merkle tree of orders with one signature. Orders with a zero offerer only pad the tree. */
export const seaportBulk: Reader = (data, message, account) => {
  const orders = list(data, message, 'tree').filter(order => !ZERO.test(text(order, 'offerer')))
  const acts = orders.map(order => orderOf(data, order, account))
  const isRead = (act: TokenAct | undefined): act is TokenAct => act !== undefined
  const unread = acts.every(isRead) ? [] : [finding('caution', 'unknownFormat')]
  return acts.length === 0 ? undefined : { form: 'bulkOrder', acts: acts.filter(isRead), findings: unread }
}

/**
 * Field names of the two sides of an order in CoW, 0x and 1inch. The fee is charged in addition to the given amount.
 */
const EXCHANGES = [
  { give: 'sellToken', most: 'sellAmount', get: 'buyToken', least: 'buyAmount', fee: 'feeAmount', until: 'validTo' },
  { give: 'makerToken', most: 'makerAmount', get: 'takerToken', least: 'takerAmount', fee: '', until: 'expiry' },
  { give: 'makerAsset', most: 'makingAmount', get: 'takerAsset', least: 'takingAmount', fee: '', until: '' },
] as const

/** Returns the recipient of what the account buys. The zero address stands for the account. */
const receiverOf = (message: Given, account: string): string => {
  const receiver = has(message, { receiver: ADDRESS }) ? text(message, 'receiver') : account
  return ZERO.test(receiver) ? account : receiver
}

export const exchange: Reader = (_, message, account) => {
  const side = EXCHANGES.find(({ give, most, get, least }) =>
    has(message, { [give]: ADDRESS, [most]: AMOUNT, [get]: ADDRESS, [least]: AMOUNT }),
  )
  if (!side) return undefined
  const fee = side.fee !== '' && has(message, { [side.fee]: AMOUNT }) ? text(message, side.fee) : '0'
  const most = String(BigInt(text(message, side.most)) + BigInt(fee))
  const got = { token: text(message, side.get), amount: text(message, side.least), id: null }
  const receiver = receiverOf(message, account)
  const isOwn = sameAddress(receiver, account)
  const act = orderAct({
    gives: [{ token: text(message, side.give), amount: most, id: null }],
    gets: isOwn ? [got] : [],
    others: isOwn ? [] : [{ ...got, to: receiver }],
    until: side.until !== '' && has(message, { [side.until]: AMOUNT }) ? text(message, side.until) : null,
  })
  return { form: 'order', acts: [act] }
}

/** UniswapX orders, which are witnesses in Permit2 signature transfers: https://github.com/Uniswap/UniswapX */
const WITNESSES: readonly string[] = [
  'ExclusiveDutchOrder',
  'DutchOrder',
  'LimitOrder',
  'V2DutchOrder',
  'V3DutchOrder',
  'PriorityOrder',
]

/** Fields that can hold an output's amount. The price moves between these amounts, and never below `minAmount`. */
const AMOUNTS = ['startAmount', 'endAmount', 'amount', 'minAmount'] as const

const amountsOf = (output: Given): bigint[] =>
  AMOUNTS.flatMap(name => (has(output, { [name]: AMOUNT }) ? [BigInt(text(output, name))] : []))

const outputOf = (output: Given, worse: 'most' | 'least'): AmountView => {
  const token = text(output, 'token')
  const amount = amountsOf(output).reduce((one, other) => ((worse === 'most') === one > other ? one : other))
  return { token: ZERO.test(token) ? null : token, amount: String(amount), id: null }
}

/** Reads the UniswapX order in a witness that allows taking `gives`. Undefined for other kinds of witnesses. */
export const auctionOrder = (
  data: TypedData,
  message: Given,
  gives: readonly AmountView[],
  account: string,
): TokenAct | undefined => {
  const witness = structIn(data, message, 'witness')
  if (witness === undefined || !WITNESSES.includes(message.fields.witness ?? '')) return undefined
  const outputs = [...list(data, witness, 'outputs'), ...list(data, witness, 'baseOutputs')]
  const isRead = (output: Given) => has(output, { token: ADDRESS, recipient: ADDRESS }) && amountsOf(output).length > 0
  if (outputs.length === 0 || !outputs.every(isRead)) return undefined
  const isOwn = (output: Given) => sameAddress(text(output, 'recipient'), account)
  return orderAct({
    gives,
    gets: outputs.filter(isOwn).map(output => outputOf(output, 'least')),
    others: outputs
      .filter(output => !isOwn(output))
      .map(output => ({ ...outputOf(output, 'most'), to: text(output, 'recipient') })),
    until: has(message, { deadline: AMOUNT }) ? text(message, 'deadline') : null,
  })
}
