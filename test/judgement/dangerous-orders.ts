/** Orders for nothing, for dust, for a counterfeit, or for another party. */
import { ACCOUNT, BAYC, COUNTERFEIT, CRYPTO_PUNKS, OPENSEA_CONDUIT, THIEF, USDC, WETH, ZERO } from './addresses.ts'
import { unlimited } from './contracts.ts'
import { calling, ether, type Request, usdc } from './encode.ts'
import { APES, type DangerousRow, EVERYTHING, FOR_NOTHING, oneUnitOf, unidentified } from './rows.ts'
import {
  blurOrder,
  blurRoot,
  cowOrder,
  oneInchOrder,
  seaportBulkOrder,
  seaportOrder,
  uniswapXOrder,
  zeroExItemOrder,
  zeroExV3Order,
} from './typed-orders.ts'

const danger = (name: string, request: Request, ...says: DangerousRow['says']): DangerousRow => ({
  name,
  atLeast: 'danger',
  says,
  request,
  node: { rights: [unlimited(BAYC, OPENSEA_CONDUIT)] },
})

const ape = (id: bigint) => ({ offer: [{ token: BAYC, id }], consideration: [] })
const seven = [APES, /\b7\b/]
const dust = [WETH, 1n] as const
const allUsdc = [USDC, usdc('5000')] as const
const coins = (amount: bigint, recipient: string) => ({ token: null, amount, recipient })

export const dangerousOrders: readonly DangerousRow[] = [
  danger('seaport-for-nothing', seaportOrder(ape(7n)), ...seven, FOR_NOTHING),
  danger(
    'seaport-for-one-wei',
    seaportOrder({ ...ape(7n), consideration: [coins(1n, ACCOUNT)] }),
    ...[...seven, oneUnitOf('ETH')],
  ),
  danger(
    'seaport-price-for-the-thief',
    seaportOrder({ ...ape(7n), consideration: [coins(ether('20'), THIEF), coins(1n, ACCOUNT)] }),
    ...[...seven, oneUnitOf('ETH'), '20 ETH'],
  ),
  danger(
    'seaport-for-a-counterfeit',
    seaportOrder({
      offer: [{ token: WETH, amount: ether('3') }],
      consideration: [{ token: COUNTERFEIT, amount: usdc('9000'), recipient: ACCOUNT }],
    }),
    ...['3 WETH', /not (?:the|your|in)|counterfeit|fake|imitat|another|different/i],
  ),
  danger('seaport-bulk-for-nothing', seaportBulkOrder(ape(7n), ape(8n)), ...seven, /\b8\b/, FOR_NOTHING),
  danger('blur-for-nothing', blurOrder(7n, 0n), ...seven, FOR_NOTHING),
  {
    ...danger('blur-root', blurRoot(`0x${'d1'.repeat(32)}`), /order/i, /read|hash|hidden|unknown|not shown/i),
    atLeast: 'caution',
  },
  danger('zerox-v3-for-nothing', zeroExV3Order(allUsdc, [WETH, 0n]), '5000 USDC', EVERYTHING, FOR_NOTHING),
  danger('zerox-v4-item-for-nothing', zeroExItemOrder(7n, [USDC, 0n]), ...seven, FOR_NOTHING),
  danger(
    'cow-for-dust',
    cowOrder({ sells: allUsdc, buys: dust, receiver: ACCOUNT }),
    ...['5000 USDC', EVERYTHING, oneUnitOf('WETH')],
  ),
  danger(
    'oneinch-for-dust',
    oneInchOrder({ sells: [USDC, usdc('1000')], buys: dust, receiver: ZERO }),
    ...['1000 USDC', oneUnitOf('WETH')],
  ),
  danger(
    'uniswapx-for-the-thief',
    uniswapXOrder({ sells: allUsdc, buys: dust, receiver: THIEF }),
    ...['5000 USDC', EVERYTHING, oneUnitOf('WETH'), unidentified(THIEF)],
  ),
  danger(
    'punk-offered-for-nothing',
    calling(CRYPTO_PUNKS, 'offerPunkForSaleToAddress(uint256,uint256,address)', [7n, 0n, THIEF]),
    ...[/punk/i, /\b7\b/, FOR_NOTHING, unidentified(THIEF)],
  ),
]
