/** Seaport orders that give an item or tokens away, alone or in a tree of fair orders. */
import { shuffled } from '../support/random.ts'
import { addressNamed, COUNTERFEIT, SPENDER, ZERO } from './addresses.ts'
import { CHAIN_ID, type Data, fields } from './permits.ts'
import { givenAway, type Making, type Signing } from './signing.ts'

const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const ORDER_TYPES = {
  OrderComponents: fields(
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ),
  OfferItem: fields(ITEM),
  ConsiderationItem: fields(`${ITEM},address recipient`),
}
const DOMAIN = { name: 'Seaport', version: '1.6', chainId: CHAIN_ID, verifyingContract: addressNamed('seaport') }

const ETHER = 10n ** 18n
const MOST_LEVELS = 4

type Item = {
  itemType: bigint
  token: string
  identifierOrCriteria: bigint
  startAmount: bigint
  endAmount: bigint
}
type Price = Item & { recipient: string }

/** Returns an amount of a token, or of coins if the address is zero. */
const amountOf = (token: string, startAmount: bigint, endAmount = startAmount): Item => ({
  itemType: token === ZERO ? 0n : 1n,
  token,
  identifierOrCriteria: 0n,
  startAmount,
  endAmount,
})
const itemOf = ({ items, signer }: Making): Item => ({
  itemType: 2n,
  token: items,
  identifierOrCriteria: BigInt(signer),
  startAmount: 1n,
  endAmount: 1n,
})
const coinsFor = (recipient: string, amount: bigint, last = amount): Price => ({
  ...amountOf(ZERO, amount, last),
  recipient,
})

const order = (offerer: string, offer: readonly Item[], consideration: readonly Price[]) => ({
  offerer,
  zone: ZERO,
  offer,
  consideration,
  orderType: 0n,
  startTime: 0n,
  endTime: 4_000_000_000n,
  zoneHash: `0x${'0'.repeat(64)}`,
  salt: 1n,
  conduitKey: `0x${'0'.repeat(64)}`,
  counter: 0n,
})
type Order = ReturnType<typeof order>

/** Returns a binary tree with this number of levels. */
const tree = (leaves: readonly unknown[], levels: number): unknown => {
  if (levels === 0) return leaves[0]
  const half = leaves.length / 2
  return [tree(leaves.slice(0, half), levels - 1), tree(leaves.slice(half), levels - 1)]
}

/** Returns the order alone, or among fair orders in a tree. */
const signedOrder = (harmful: Order, making: Making): Data => {
  const { signer, decoys, random } = making
  if (decoys === null) return { types: ORDER_TYPES, primaryType: 'OrderComponents', domain: DOMAIN, message: harmful }
  const levels = 1 + (decoys % MOST_LEVELS)
  const good = order(signer, [itemOf(making)], [coinsFor(signer, ETHER)])
  const leaves = shuffled(random, [harmful, ...Array<Order>(2 ** levels - 1).fill(good)])
  const types = { BulkOrder: fields(`OrderComponents${'[2]'.repeat(levels)} tree`), ...ORDER_TYPES }
  return { types, primaryType: 'BulkOrder', domain: DOMAIN, message: { tree: tree(leaves, levels) } }
}

/** An order that sells an item for this price. */
const sale = (name: string, price: (signer: string) => readonly Price[]): [string, Signing] => [
  `Seaport order ${name}`,
  givenAway({
    make: making => signedOrder(order(making.signer, [itemOf(making)], price(making.signer)), making),
  }),
]

export const seaportOrders: [string, Signing][] = [
  sale('for nothing', signer => [coinsFor(signer, 0n)]),
  sale('without a price', () => []),
  sale('for 1 wei', signer => [coinsFor(signer, 1n)]),
  sale('whose price falls to nothing', signer => [coinsFor(signer, 20n * ETHER, 0n)]),
  sale('whose price goes to somebody else', signer => [coinsFor(SPENDER, 20n * ETHER), coinsFor(signer, ETHER)]),
  [
    'Seaport order for a counterfeit',
    givenAway({
      make: making => {
        const { signer, token } = making
        const price = { ...amountOf(COUNTERFEIT, 9_000n * ETHER), recipient: signer }
        return signedOrder(order(signer, [amountOf(token, 5n * ETHER)], [price]), making)
      },
    }),
  ],
]
