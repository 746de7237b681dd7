/** Other accounts' orders that a Seaport call fulfils: https://github.com/ProjectOpenSea/seaport */
import type { AmountView, TokenAct } from '../../messages.ts'
import { type Arguments, type Made, structsOf, textOf, ZERO } from './call-arguments.ts'

const ITEM_WITH_ID = 2n
/** Lowest item type with criteria. For this type and higher ones, the identifier selects a set of token ids. */
const ITEM_OF_SET = 4n

const numberOf = (item: Arguments, name: string): bigint => BigInt(textOf(item, name) || '0')

const tokenOf = (item: Arguments, name: string): string | null => {
  const token = textOf(item, name)
  return ZERO.test(token) ? null : token
}

/** Reads an item. If its amount changes over time, uses the amount that is worse for the account. */
const itemOf = (item: Arguments, worse: 'most' | 'least'): AmountView => {
  const type = numberOf(item, 'itemType')
  const [start, end] = [numberOf(item, 'startAmount'), numberOf(item, 'endAmount')]
  const first = worse === 'most' ? start > end : start < end
  return {
    token: tokenOf(item, 'token'),
    amount: String(first ? start : end),
    id: type >= ITEM_WITH_ID ? textOf(item, 'identifierOrCriteria') : null,
    ...(type >= ITEM_OF_SET && { ofSet: true }),
  }
}

/** Reads a fulfilment: the account gives the order's consideration, and gets its offer. */
const fulfilled =
  (argument: string) =>
  ({ call }: Made): TokenAct[] => {
    const parameters = structsOf(call.args, argument).flatMap(order => structsOf(order, 'parameters'))
    return parameters.map(order => ({
      kind: 'order',
      gives: structsOf(order, 'consideration').map(item => itemOf(item, 'most')),
      gets: structsOf(order, 'offer').map(item => itemOf(item, 'least')),
      until: textOf(order, 'endTime'),
    }))
  }

/** Number of types per kind of basic order. They differ only in who may fulfil the order. */
const TYPES_PER_KIND = 4n
const ERC721_OR_1155_FOR_ERC20 = [4n, 5n]

/** Reads basic orders. Fees are paid on top of an item's price, or out of the tokens that are offered for an item. */
const fulfilledBasic = ({ call }: Made): TokenAct[] =>
  structsOf(call.args, 'parameters').map(order => {
    const sells = ERC721_OR_1155_FOR_ERC20.includes(numberOf(order, 'basicOrderType') / TYPES_PER_KIND)
    const fees = structsOf(order, 'additionalRecipients').reduce((sum, fee) => sum + numberOf(fee, 'amount'), 0n)
    const [given, offered] = [numberOf(order, 'considerationAmount'), numberOf(order, 'offerAmount')]
    const got = offered > fees ? offered - fees : 0n
    return {
      kind: 'order',
      gives: [
        {
          token: tokenOf(order, 'considerationToken'),
          amount: String(sells ? given : given + fees),
          id: sells ? textOf(order, 'considerationIdentifier') : null,
        },
      ],
      gets: [
        {
          token: tokenOf(order, 'offerToken'),
          amount: String(sells ? got : offered),
          id: sells ? null : textOf(order, 'offerIdentifier'),
        },
      ],
      until: textOf(order, 'endTime'),
    }
  })

const READERS: Readonly<Record<string, (made: Made) => TokenAct[]>> = {
  fulfillBasicOrder: fulfilledBasic,
  fulfillBasicOrder_efficient_6GL6yc: fulfilledBasic,
  fulfillOrder: fulfilled('order'),
  fulfillAdvancedOrder: fulfilled('advancedOrder'),
}

/** Returns the orders that a call fulfils, from the account's side. */
export const ordersOfCall = (made: Made): TokenAct[] =>
  Object.hasOwn(READERS, made.call.name) ? (READERS[made.call.name]?.(made) ?? []) : []
