/**
 * Orders that give something away for nothing, or in favour of someone else. An exchange needs only their signature.
 */
import { shuffled } from '../support/random.ts'
import { CHAIN_ID, fields } from './permits.ts'
import type { Signing } from './signing.ts'
import { addressNamed, SPENDER, TOKENS, ZERO } from './world.ts'

const [, OTHER_TOKEN = ''] = TOKENS
const TOKENS_5 = 5n * 10n ** 18n

const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const ORDER_TYPES = {
  OrderComponents: fields(
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ),
  OfferItem: fields(ITEM),
  ConsiderationItem: fields(`${ITEM},address recipient`),
}

/** Sells an item; the proceeds go to the signer, or are zero. */
const order = (items: string, signer: string, price: bigint) => ({
  offerer: signer,
  zone: ZERO,
  offer: [{ itemType: 2n, token: items, identifierOrCriteria: BigInt(signer), startAmount: 1n, endAmount: 1n }],
  consideration: [
    { itemType: 0n, token: ZERO, identifierOrCriteria: 0n, startAmount: price, endAmount: price, recipient: signer },
  ],
  orderType: 0n,
  startTime: 0n,
  endTime: 4_000_000_000n,
  zoneHash: `0x${'0'.repeat(64)}`,
  salt: 1n,
  conduitKey: `0x${'0'.repeat(64)}`,
  counter: 0n,
})

/** A tree of lists of two, `levels` deep. */
const tree = (leaves: readonly unknown[], levels: number): unknown => {
  if (levels === 0) return leaves[0]
  const half = leaves.length / 2
  return [tree(leaves.slice(0, half), levels - 1), tree(leaves.slice(half), levels - 1)]
}

const seaport = { name: 'Seaport', version: '1.6', chainId: CHAIN_ID, verifyingContract: addressNamed('seaport') }

const given = (form: Omit<Signing, 'family' | 'amount' | 'least' | 'isOwners' | 'redeem'>): Signing => ({
  ...form,
  family: 'items',
  amount: 0n,
  least: 'danger',
  isOwners: false,
  redeem: () => [],
})

const MOST_LEVELS = 4
const LIMIT_ORDER = { makerAsset: 'makingAmount', takerAsset: 'takingAmount' }

export const orders: [string, Signing][] = [
  [
    'Seaport order for nothing',
    given({
      make: ({ items, signer, decoys, random }) => {
        const empty = order(items, signer, 0n)
        if (decoys === null)
          return { types: ORDER_TYPES, primaryType: 'OrderComponents', domain: seaport, message: empty }
        const levels = 1 + (decoys % MOST_LEVELS)
        const leaves = shuffled(random, [empty, ...Array(2 ** levels - 1).fill(order(items, signer, 10n ** 18n))])
        const types = { BulkOrder: fields(`OrderComponents${'[2]'.repeat(levels)} tree`), ...ORDER_TYPES }
        return { types, primaryType: 'BulkOrder', domain: seaport, message: { tree: tree(leaves, levels) } }
      },
    }),
  ],
  [
    'limit order for nothing',
    given({
      make: ({ token, signer }) => ({
        types: {
          Order: fields(
            `uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 ${LIMIT_ORDER.makerAsset},uint256 ${LIMIT_ORDER.takerAsset},uint256 makerTraits`,
          ),
        },
        primaryType: 'Order',
        domain: {
          name: 'Limit orders',
          version: '4',
          chainId: CHAIN_ID,
          verifyingContract: addressNamed('limit orders'),
        },
        message: {
          salt: 1n,
          maker: signer,
          receiver: ZERO,
          makerAsset: token,
          takerAsset: OTHER_TOKEN,
          makingAmount: TOKENS_5,
          takingAmount: 0n,
          makerTraits: 0n,
        },
      }),
    }),
  ],
  [
    'order for somebody else',
    given({
      make: ({ token }) => ({
        types: {
          Order: fields(
            'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable',
          ),
        },
        primaryType: 'Order',
        domain: { name: 'Settlement', version: 'v2', chainId: CHAIN_ID, verifyingContract: addressNamed('settlement') },
        message: {
          sellToken: token,
          buyToken: OTHER_TOKEN,
          receiver: SPENDER,
          sellAmount: TOKENS_5,
          buyAmount: TOKENS_5,
          validTo: 4_000_000_000n,
          appData: `0x${'00'.repeat(32)}`,
          feeAmount: 0n,
          kind: 'sell',
          partiallyFillable: false,
        },
      }),
    }),
  ],
]
