/** Exchange orders: the most that the account gives, and the least that it gets. */
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import type { AmountView, TokenAct } from '../../messages.ts'
import { finding } from './findings.ts'
import { ADDRESS, AMOUNT, type Given, has, list, type Reader, text } from './typed-fields.ts'

const ZERO = /^0x0{40}$/
const ITEM = { itemType: AMOUNT, token: ADDRESS, identifierOrCriteria: AMOUNT, startAmount: AMOUNT, endAmount: AMOUNT }
const ITEM_WITH_ID = 2n
/** Seaport item types from here on use criteria: the identifier selects a set of token ids, not one of them. */
const ITEM_OF_SET = 4n
const isOfSet = (item: Given) => BigInt(text(item, 'itemType')) >= ITEM_OF_SET

/** An item of a Seaport order. If the amount changes over time, takes the one that is worse for the signer. */
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

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/**
 * An order of https://github.com/ProjectOpenSea/seaport; undefined if it offers nothing or has items of another form.
 */
const orderOf = (data: TypedData, order: Given, account: string): TokenAct | undefined => {
  const [offer, consideration] = [list(data, order, 'offer'), list(data, order, 'consideration')]
  if (offer.length === 0 || ![...offer, ...consideration].every(item => has(item, ITEM))) return undefined
  const own = consideration.filter(item => sameText(text(item, 'recipient'), account))
  const until = has(order, { endTime: AMOUNT }) ? text(order, 'endTime') : null
  const gives = offer.map(item => seaportItem(item, 'most'))
  return { kind: 'order', gives, gets: own.map(item => seaportItem(item, 'least')), until }
}

export const seaport: Reader = (data, message, account) => {
  const act = orderOf(data, message, account)
  return act && { form: 'order', acts: [act] }
}

/** A Merkle tree of orders under one signature. Orders with a zero offerer only pad the tree. */
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

const receives = (message: Given, account: string): boolean => {
  if (message.fields.receiver !== 'address') return true
  const receiver = text(message, 'receiver')
  return ZERO.test(receiver) || sameText(receiver, account)
}

export const exchange: Reader = (_, message, account) => {
  const side = EXCHANGES.find(({ give, most, get, least }) =>
    has(message, { [give]: ADDRESS, [most]: AMOUNT, [get]: ADDRESS, [least]: AMOUNT }),
  )
  if (!side) return undefined
  const fee = side.fee !== '' && has(message, { [side.fee]: AMOUNT }) ? text(message, side.fee) : '0'
  const most = String(BigInt(text(message, side.most)) + BigInt(fee))
  const gives = [{ token: text(message, side.give), amount: most, id: null }]
  const gets = receives(message, account)
    ? [{ token: text(message, side.get), amount: text(message, side.least), id: null }]
    : []
  const until = side.until !== '' && has(message, { [side.until]: AMOUNT }) ? text(message, side.until) : null
  return { form: 'order', acts: [{ kind: 'order', gives, gets, until }] }
}
