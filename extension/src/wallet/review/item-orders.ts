/** Marketplace orders for single items. One side has an item, the other a price. */
import type { AmountView, TokenAct } from '../../messages.ts'
import { ZERO } from './call-arguments.ts'
import { orderAct } from './orders.ts'
import {
  ADDRESS,
  AMOUNT,
  BOOL,
  type Form,
  type Given,
  has,
  integersIn,
  list,
  type Reader,
  text,
} from './typed-fields.ts'

/** Basis points in the whole. */
const WHOLE = 10_000n
/** Address that stands for coins in 0x orders. */
const COINS = /^0xe{40}$/i

type Others = NonNullable<(TokenAct & { kind: 'order' })['others']>

const coinOr = (token: string): string | null => (ZERO.test(token) || COINS.test(token) ? null : token)

/** Raises an amount of 0 to 1, because contracts move one item even if the order for a single item says 0. */
const atLeastOne = (amount: string): string => (amount === '0' ? '1' : amount)

const numberOf = (struct: Given, name: string): bigint => BigInt(text(struct, name))

/**
 * Creates a sale or a purchase. The price is the maximum that the account pays, or the minimum that it gets after
 * deducting others' fees.
 */
const orderOf = (
  { items, price, others, until }: { items: readonly AmountView[]; price: AmountView; others: Others; until: string },
  side: 'sells' | 'buys',
): Form => {
  if (side === 'buys') return { form: 'order', acts: [orderAct({ gives: [price], gets: items, others, until })] }
  const fees = others.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const left = BigInt(price.amount) - fees
  const got = { ...price, amount: String(left > 0n ? left : 0n) }
  return { form: 'order', acts: [orderAct({ gives: items, gets: [got], others, until })] }
}

const BLUR = {
  trader: ADDRESS,
  side: AMOUNT,
  matchingPolicy: ADDRESS,
  collection: ADDRESS,
  tokenId: AMOUNT,
  amount: AMOUNT,
  paymentToken: ADDRESS,
  price: AMOUNT,
  expirationTime: AMOUNT,
}
const BLUR_FEE = { rate: AMOUNT, recipient: ADDRESS }
/** Blur's matching policy for orders for one item. Other policies accept any item in a collection. */
const BLUR_STANDARD = /^0x0{10}daB4A563819e8fd93dbA3b25BC3495$/i

/** Reads orders of Blur's exchange, version 1. */
export const blurOrder: Reader = (data, message) => {
  const fees = list(data, message, 'fees')
  if (!has(message, BLUR) || !fees.every(fee => has(fee, BLUR_FEE))) return undefined
  const price = { token: coinOr(text(message, 'paymentToken')), amount: text(message, 'price'), id: null }
  const others = fees.map(fee => ({
    ...price,
    amount: String((BigInt(price.amount) * numberOf(fee, 'rate')) / WHOLE),
    to: text(fee, 'recipient'),
  }))
  const buys = text(message, 'side') === '0'
  const ofSet = buys && !BLUR_STANDARD.test(text(message, 'matchingPolicy'))
  const item: AmountView = {
    token: text(message, 'collection'),
    amount: atLeastOne(text(message, 'amount')),
    id: text(message, 'tokenId'),
    ...(ofSet && { ofSet }),
  }
  return orderOf({ items: [item], price, others, until: text(message, 'expirationTime') }, buys ? 'buys' : 'sells')
}

const ZEROX_FEE = { recipient: ADDRESS, amount: AMOUNT }

/** Reads orders of 0x version 4, whose format Element shares. `kind` is the prefix of the field names. */
const zeroExItem =
  (kind: 'erc721' | 'erc1155'): Reader =>
  (data, message) => {
    const wanted = {
      direction: AMOUNT,
      maker: ADDRESS,
      expiry: AMOUNT,
      erc20Token: ADDRESS,
      erc20TokenAmount: AMOUNT,
      [`${kind}Token`]: ADDRESS,
      [`${kind}TokenId`]: AMOUNT,
      ...(kind === 'erc1155' && { erc1155TokenAmount: AMOUNT }),
    }
    const fees = list(data, message, 'fees')
    if (!has(message, wanted) || !fees.every(fee => has(fee, ZEROX_FEE))) return undefined
    const token = coinOr(text(message, 'erc20Token'))
    const sells = text(message, 'direction') === '0'
    const others = fees.map(fee => ({ token, amount: text(fee, 'amount'), id: null, to: text(fee, 'recipient') }))
    // The buyer pays the fees on top of the price.
    const paid = others.reduce((sum, { amount }) => sum + BigInt(amount), numberOf(message, 'erc20TokenAmount'))
    const item: AmountView = {
      token: text(message, `${kind}Token`),
      amount: kind === 'erc1155' ? text(message, 'erc1155TokenAmount') : '1',
      id: text(message, `${kind}TokenId`),
      ...(list(data, message, `${kind}TokenProperties`).length > 0 && { ofSet: true }),
    }
    const price = { token, amount: String(paid), id: null }
    return orderOf({ items: [item], price, others, until: text(message, 'expiry') }, sells ? 'sells' : 'buys')
  }

export const erc721Order = zeroExItem('erc721')
export const erc1155Order = zeroExItem('erc1155')

const LOOKSRARE = {
  isOrderAsk: BOOL,
  signer: ADDRESS,
  collection: ADDRESS,
  price: AMOUNT,
  tokenId: AMOUNT,
  amount: AMOUNT,
  strategy: ADDRESS,
  currency: ADDRESS,
  endTime: AMOUNT,
  minPercentageToAsk: AMOUNT,
}
/** LooksRare's strategy for fixed-price orders for one item. Other strategies accept any item in a collection. */
const LOOKSRARE_STANDARD = /^0x56244Bb70CbD3EA9Dc8007399F61dFC065190031$/i

/** Reads LooksRare version 1 orders. The seller's minimum share limits fees and royalties. */
export const looksRareOrder: Reader = (_, message) => {
  if (!has(message, LOOKSRARE)) return undefined
  const asks = message.values.isOrderAsk === true
  const [whole, share] = [numberOf(message, 'price'), numberOf(message, 'minPercentageToAsk')]
  const ofSet = !asks && !LOOKSRARE_STANDARD.test(text(message, 'strategy'))
  const item: AmountView = {
    token: text(message, 'collection'),
    amount: atLeastOne(text(message, 'amount')),
    id: text(message, 'tokenId'),
    ...(ofSet && { ofSet }),
  }
  const least = share < WHOLE ? (whole * share) / WHOLE : whole
  const price = { token: coinOr(text(message, 'currency')), amount: String(asks ? least : whole), id: null }
  return orderOf({ items: [item], price, others: [], until: text(message, 'endTime') }, asks ? 'sells' : 'buys')
}

const LOOKSRARE_2 = {
  quoteType: AMOUNT,
  strategyId: AMOUNT,
  collection: ADDRESS,
  currency: ADDRESS,
  signer: ADDRESS,
  endTime: AMOUNT,
  price: AMOUNT,
}

/** Reads LooksRare version 2 orders. A bid on a collection names no items. */
export const looksRareMaker: Reader = (_, message) => {
  const [ids, amounts] = [integersIn(message, 'itemIds'), integersIn(message, 'amounts')]
  if (!has(message, LOOKSRARE_2) || ids === undefined || amounts === undefined) return undefined
  const bids = text(message, 'quoteType') === '0'
  const token = text(message, 'collection')
  const named = ids.map((id, at) => ({ token, amount: atLeastOne(amounts[at] ?? '1'), id }))
  const isOfSet = bids && (ids.length === 0 || text(message, 'strategyId') !== '0')
  if (named.length === 0 && !isOfSet) return undefined
  const items: AmountView[] = isOfSet ? [{ token, amount: atLeastOne(amounts[0] ?? '1'), id: '0', ofSet: true }] : named
  const price = { token: coinOr(text(message, 'currency')), amount: text(message, 'price'), id: null }
  return orderOf({ items, price, others: [], until: text(message, 'endTime') }, bids ? 'buys' : 'sells')
}
