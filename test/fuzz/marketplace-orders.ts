/** Orders of other marketplaces that give an item away: Blur, LooksRare and 0x. */
import { addressNamed, SPENDER, ZERO } from './addresses.ts'
import { CHAIN_ID, fields } from './permits.ts'
import { givenAway, type Signing } from './signing.ts'

const ETHER = 10n ** 18n
const END = 4_000_000_000n
/** 95 % in basis points. */
const MOST = 9_500n

const domainOf = (name: string, version: string) => ({
  name,
  version,
  chainId: CHAIN_ID,
  verifyingContract: addressNamed(name),
})

type Terms = { price: bigint; fees: readonly { rate: bigint; recipient: string }[] }

const blur = ({ price, fees }: Terms): Signing =>
  givenAway({
    make: ({ items, signer }) => ({
      types: {
        Order: fields(
          'address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce',
        ),
        Fee: fields('uint16 rate,address recipient'),
      },
      primaryType: 'Order',
      domain: domainOf('Blur Exchange', '1.0'),
      message: {
        trader: signer,
        side: 1n,
        matchingPolicy: addressNamed('policy'),
        collection: items,
        tokenId: BigInt(signer),
        amount: 1n,
        paymentToken: ZERO,
        price,
        listingTime: 0n,
        expirationTime: END,
        fees,
        salt: 1n,
        extraParams: '0x',
        nonce: 0n,
      },
    }),
  })

const looksRare = (price: bigint): Signing =>
  givenAway({
    make: ({ items, signer }) => ({
      types: {
        Maker: fields(
          'uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters',
        ),
      },
      primaryType: 'Maker',
      domain: domainOf('LooksRareProtocol', '2'),
      message: {
        quoteType: 1n,
        globalNonce: 0n,
        subsetNonce: 0n,
        orderNonce: 0n,
        strategyId: 0n,
        collectionType: 0n,
        collection: items,
        currency: ZERO,
        signer,
        startTime: 0n,
        endTime: END,
        price,
        itemIds: [BigInt(signer)],
        amounts: [1n],
        additionalParameters: '0x',
      },
    }),
  })

const zeroEx = (price: bigint, fee: bigint): Signing =>
  givenAway({
    make: ({ items, signer }) => ({
      types: {
        ERC721Order: fields(
          'uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties',
        ),
        Fee: fields('address recipient,uint256 amount,bytes feeData'),
        Property: fields('address propertyValidator,bytes propertyData'),
      },
      primaryType: 'ERC721Order',
      domain: domainOf('ZeroEx', '1.0.0'),
      message: {
        direction: 0n,
        maker: signer,
        taker: ZERO,
        expiry: END,
        nonce: 1n,
        erc20Token: `0x${'ee'.repeat(20)}`,
        erc20TokenAmount: price,
        fees: fee > 0n ? [{ recipient: SPENDER, amount: fee, feeData: '0x' }] : [],
        erc721Token: items,
        erc721TokenId: BigInt(signer),
        erc721TokenProperties: [],
      },
    }),
  })

export const marketplaceOrders: [string, Signing][] = [
  ['Blur order for nothing', blur({ price: 0n, fees: [] })],
  ['Blur order for 1 wei', blur({ price: 1n, fees: [] })],
  ['Blur order whose fees take the price', blur({ price: ETHER, fees: [{ rate: MOST, recipient: SPENDER }] })],
  ['LooksRare order for nothing', looksRare(0n)],
  ['LooksRare order for 1 wei', looksRare(1n)],
  ['0x item order for nothing', zeroEx(0n, 0n)],
  ['0x item order whose fees take the price', zeroEx(ETHER / 20n, ETHER)],
]
