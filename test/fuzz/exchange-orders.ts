/** Orders of exchanges that give tokens away: CoW, 1inch and 0x. */
import { addressNamed, SPENDER, TOKENS, ZERO } from './addresses.ts'
import { encodeCall } from './encode.ts'
import { CHAIN_ID, fields } from './permits.ts'
import { givenAway, type Signing } from './signing.ts'

const [, OTHER_TOKEN = ''] = TOKENS
const TOKENS_5 = 5n * 10n ** 18n
const END = 4_000_000_000n

const domainOf = (name: string, version: string, contract: string) => ({
  name,
  version,
  chainId: CHAIN_ID,
  verifyingContract: addressNamed(contract),
})

/** An order of 1inch. */
const limitOrder = (takingAmount: bigint): Signing =>
  givenAway({
    make: ({ token, signer }) => ({
      types: {
        Order: fields(
          'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits',
        ),
      },
      primaryType: 'Order',
      domain: domainOf('Limit orders', '4', 'limit orders'),
      message: {
        salt: 1n,
        maker: signer,
        receiver: ZERO,
        makerAsset: token,
        takerAsset: OTHER_TOKEN,
        makingAmount: TOKENS_5,
        takingAmount,
        makerTraits: 0n,
      },
    }),
  })

/** An order of CoW. */
const settlement = (receiver: string, buyAmount: bigint): Signing =>
  givenAway({
    make: ({ token }) => ({
      types: {
        Order: fields(
          'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance',
        ),
      },
      primaryType: 'Order',
      domain: domainOf('Settlement', 'v2', 'settlement'),
      message: {
        sellToken: token,
        buyToken: OTHER_TOKEN,
        receiver,
        sellAmount: TOKENS_5,
        buyAmount,
        validTo: END,
        appData: `0x${'00'.repeat(32)}`,
        feeAmount: 0n,
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
      },
    }),
  })

const assetOf = (token: string) => encodeCall('ERC20Token(address)', [token])

/** An order of 0x version 3, in which assets are encoded as bytes. */
const exchangeOrder = (takerAssetAmount: bigint): Signing =>
  givenAway({
    make: ({ token, signer }) => ({
      types: {
        Order: fields(
          'address makerAddress,address takerAddress,address feeRecipientAddress,address senderAddress,uint256 makerAssetAmount,uint256 takerAssetAmount,uint256 makerFee,uint256 takerFee,uint256 expirationTimeSeconds,uint256 salt,bytes makerAssetData,bytes takerAssetData,bytes makerFeeAssetData,bytes takerFeeAssetData',
        ),
      },
      primaryType: 'Order',
      domain: domainOf('0x Protocol', '3.0.0', 'exchange'),
      message: {
        makerAddress: signer,
        takerAddress: ZERO,
        feeRecipientAddress: ZERO,
        senderAddress: ZERO,
        makerAssetAmount: TOKENS_5,
        takerAssetAmount,
        makerFee: 0n,
        takerFee: 0n,
        expirationTimeSeconds: END,
        salt: 1n,
        makerAssetData: assetOf(token),
        takerAssetData: assetOf(OTHER_TOKEN),
        makerFeeAssetData: '0x',
        takerFeeAssetData: '0x',
      },
    }),
  })

/** An order of 0x version 4. */
const nativeOrder = (takerAmount: bigint): Signing =>
  givenAway({
    make: ({ token, signer }) => ({
      types: {
        LimitOrder: fields(
          'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt',
        ),
      },
      primaryType: 'LimitOrder',
      domain: domainOf('ZeroEx', '1.0.0', 'exchange proxy'),
      message: {
        makerToken: token,
        takerToken: OTHER_TOKEN,
        makerAmount: TOKENS_5,
        takerAmount,
        takerTokenFeeAmount: 0n,
        maker: signer,
        taker: ZERO,
        sender: ZERO,
        feeRecipient: ZERO,
        pool: `0x${'00'.repeat(32)}`,
        expiry: END,
        salt: 1n,
      },
    }),
  })

export const exchangeOrders: [string, Signing][] = [
  ['limit order for nothing', limitOrder(0n)],
  ['limit order for dust', limitOrder(1n)],
  ['order for somebody else', settlement(SPENDER, TOKENS_5)],
  ['settled order for dust', settlement(ZERO, 1n)],
  ['0x order for nothing', exchangeOrder(0n)],
  ['0x order for dust', exchangeOrder(1n)],
  ['0x native order for nothing', nativeOrder(0n)],
  ['0x native order for dust', nativeOrder(1n)],
]
