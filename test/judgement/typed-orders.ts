/** Orders of marketplaces and exchanges, with their contracts' structs. Unstated fields are zero. */
import { NOW } from '../../extension/src/wallet/wallet.fixture.ts'
import * as at from './addresses.ts'
import { encodeCall, IN_30_DAYS, IN_30_MINUTES, type Request } from './encode.ts'
import { onEthereum, PERMIT2_DOMAIN, type Structs, TOKEN_PERMISSIONS, typed } from './typed.ts'

const ZERO_WORD = `0x${'0'.repeat(64)}`
const STARTED = BigInt(NOW / 1000)

/** An amount of a token, or of coins if `token` is null, or an item of a collection. */
type Item = { token: string | null; amount?: bigint; id?: bigint }
type Paid = Item & { recipient: string }

const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const ORDER_COMPONENTS: Structs = {
  OrderComponents:
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  OfferItem: ITEM,
  ConsiderationItem: `${ITEM},address recipient`,
}
const SEAPORT_DOMAIN = onEthereum(at.SEAPORT, 'Seaport', '1.6')

const seaportItem = ({ token, amount = 1n, id }: Item) => ({
  itemType: token === null ? 0 : id === undefined ? 1 : 2,
  token: token ?? at.ZERO,
  identifierOrCriteria: id ?? 0n,
  startAmount: amount,
  endAmount: amount,
})

export type SeaportOrder = { offer: readonly Item[]; consideration: readonly Paid[]; conduitKey?: string }

const components = ({ offer, consideration, conduitKey = ZERO_WORD }: SeaportOrder) => ({
  offerer: at.ACCOUNT,
  zone: at.ZERO,
  offer: offer.map(seaportItem),
  consideration: consideration.map(({ recipient, ...item }) => ({ ...seaportItem(item), recipient })),
  orderType: 0,
  startTime: STARTED,
  endTime: IN_30_DAYS,
  zoneHash: ZERO_WORD,
  salt: 24_446_860_302_761_739_304_752_683_030_156_737_591n,
  conduitKey,
  counter: 0n,
})

/** https://github.com/ProjectOpenSea/seaport-types/blob/main/src/lib/ConsiderationStructs.sol */
export const seaportOrder = (order: SeaportOrder): Request => typed(SEAPORT_DOMAIN, ORDER_COMPONENTS, components(order))

/** Returns a bulk order: a tree of two orders. */
export const seaportBulkOrder = (one: SeaportOrder, other: SeaportOrder): Request =>
  typed(
    SEAPORT_DOMAIN,
    { BulkOrder: 'OrderComponents[2] tree', ...ORDER_COMPONENTS },
    { tree: [components(one), components(other)] },
  )

const BLUR_DOMAIN = onEthereum(at.BLUR_EXCHANGE, 'Blur Exchange', '1.0')

/** Sells an item. https://etherscan.io/address/0x000000000000ad05ccc4f10045630fb830b95127 */
export const blurOrder = (tokenId: bigint, price: bigint): Request =>
  typed(
    BLUR_DOMAIN,
    {
      Order:
        'address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce',
      Fee: 'uint16 rate,address recipient',
    },
    {
      trader: at.ACCOUNT,
      side: 1,
      matchingPolicy: at.BLUR_POLICY,
      collection: at.BAYC,
      tokenId,
      amount: 1n,
      paymentToken: at.ZERO,
      price,
      listingTime: STARTED,
      expirationTime: IN_30_DAYS,
      fees: [],
      salt: 190_347_285_110_932_475_201n,
      extraParams: '0x01',
      nonce: 0n,
    },
  )

export const blurRoot = (root: string): Request => typed(BLUR_DOMAIN, { Root: 'bytes32 root' }, { root })

const assetData = (token: string): string => encodeCall('ERC20Token(address)', token)

/** https://github.com/0xProject/0x-protocol-specification/blob/master/v3/v3-specification.md#order */
export const zeroExV3Order = (give: readonly [string, bigint], get: readonly [string, bigint]): Request =>
  typed(
    onEthereum(at.ZEROX_V3, '0x Protocol', '3.0.0'),
    {
      Order:
        'address makerAddress,address takerAddress,address feeRecipientAddress,address senderAddress,uint256 makerAssetAmount,uint256 takerAssetAmount,uint256 makerFee,uint256 takerFee,uint256 expirationTimeSeconds,uint256 salt,bytes makerAssetData,bytes takerAssetData,bytes makerFeeAssetData,bytes takerFeeAssetData',
    },
    {
      makerAddress: at.ACCOUNT,
      takerAddress: at.ZERO,
      feeRecipientAddress: at.ZERO,
      senderAddress: at.ZERO,
      makerAssetAmount: give[1],
      takerAssetAmount: get[1],
      makerFee: 0n,
      takerFee: 0n,
      expirationTimeSeconds: IN_30_DAYS,
      salt: 1_700_000_000_123n,
      makerAssetData: assetData(give[0]),
      takerAssetData: assetData(get[0]),
      makerFeeAssetData: '0x',
      takerFeeAssetData: '0x',
    },
  )

/** Sells an item. https://docs.0xprotocol.org/en/latest/basics/orders.html */
export const zeroExItemOrder = (erc721TokenId: bigint, [token, amount]: readonly [string, bigint]): Request =>
  typed(
    onEthereum(at.ZEROX_PROXY, 'ZeroEx', '1.0.0'),
    {
      ERC721Order:
        'uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties',
      Fee: 'address recipient,uint256 amount,bytes feeData',
      Property: 'address propertyValidator,bytes propertyData',
    },
    {
      direction: 0,
      maker: at.ACCOUNT,
      taker: at.ZERO,
      expiry: IN_30_DAYS,
      nonce: 100_131_415_900_000_000_000n,
      erc20Token: token,
      erc20TokenAmount: amount,
      fees: [],
      erc721Token: at.BAYC,
      erc721TokenId,
      erc721TokenProperties: [],
    },
  )

type Exchanged = { sells: readonly [string, bigint]; buys: readonly [string, bigint]; receiver: string }

/** https://docs.cow.fi/cow-protocol/reference/contracts/core/settlement */
export const cowOrder = ({ sells, buys, receiver }: Exchanged): Request =>
  typed(
    onEthereum(at.COW_SETTLEMENT, 'Gnosis Protocol', 'v2'),
    {
      Order:
        'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance',
    },
    {
      sellToken: sells[0],
      buyToken: buys[0],
      receiver,
      sellAmount: sells[1],
      buyAmount: buys[1],
      validTo: IN_30_MINUTES,
      appData: `0x${'9b'.repeat(32)}`,
      feeAmount: 0n,
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    },
  )

/** https://github.com/1inch/limit-order-protocol/blob/master/contracts/interfaces/IOrderMixin.sol */
export const oneInchOrder = ({ sells, buys, receiver }: Exchanged): Request =>
  typed(
    onEthereum(at.ONEINCH_ROUTER, '1inch Aggregation Router', '6'),
    {
      Order:
        'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits',
    },
    {
      salt: 10_347_283_991_234_501_982_331n,
      maker: at.ACCOUNT,
      receiver,
      makerAsset: sells[0],
      takerAsset: buys[0],
      makingAmount: sells[1],
      takingAmount: buys[1],
      makerTraits: 0n,
    },
  )

/** https://github.com/Uniswap/UniswapX/blob/main/src/lib/ExclusiveDutchOrderLib.sol */
export const uniswapXOrder = ({ sells, buys, receiver }: Exchanged): Request =>
  typed(
    PERMIT2_DOMAIN,
    {
      PermitWitnessTransferFrom:
        'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,ExclusiveDutchOrder witness',
      TokenPermissions: TOKEN_PERMISSIONS,
      ExclusiveDutchOrder:
        'OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs',
      OrderInfo:
        'address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData',
      DutchOutput: 'address token,uint256 startAmount,uint256 endAmount,address recipient',
    },
    {
      permitted: { token: sells[0], amount: sells[1] },
      spender: at.UNISWAPX_REACTOR,
      nonce: 0n,
      deadline: IN_30_MINUTES,
      witness: {
        info: {
          reactor: at.UNISWAPX_REACTOR,
          swapper: at.ACCOUNT,
          nonce: 0n,
          deadline: IN_30_MINUTES,
          additionalValidationContract: at.ZERO,
          additionalValidationData: '0x',
        },
        decayStartTime: STARTED,
        decayEndTime: IN_30_MINUTES,
        exclusiveFiller: at.ZERO,
        exclusivityOverrideBps: 0n,
        inputToken: sells[0],
        inputStartAmount: sells[1],
        inputEndAmount: sells[1],
        outputs: [{ token: buys[0], startAmount: buys[1], endAmount: buys[1], recipient: receiver }],
      },
    },
  )
