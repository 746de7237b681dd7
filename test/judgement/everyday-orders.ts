/** Orders of marketplaces, names, votes and bridges. */
import { NOW } from '../../extension/src/wallet/wallet.fixture.ts'
import * as at from './addresses.ts'
import { unlimited } from './contracts.ts'
import { calling, ether, IN_30_MINUTES, MAX, type Request, usdc } from './encode.ts'
import { APES, EVERYTHING, type EverydayRow } from './rows.ts'
import { snapshotVote } from './typed.ts'
import { cowOrder, oneInchOrder, seaportOrder } from './typed-orders.ts'

const { ACCOUNT, BAYC, OPENSEA_CONDUIT, USDC, WETH } = at

const harmless = (
  name: string,
  says: EverydayRow['says'],
  request: Request,
  ...rights: readonly { token: string; spender: string; amount: bigint }[]
): EverydayRow => ({ name, atMost: 'none', says, request, node: { rights } })

const sells = [USDC, usdc('1000')] as const
const buys = [WETH, ether('0.33')] as const
const conduitKey = at.OPENSEA_CONDUIT_KEY
const coins = (amount: string, recipient: string) => ({ token: null, amount: ether(amount), recipient })
const marketplace = /OpenSea|Seaport/
const own = /your|yourself|account/i

/** WETH on Base, at its address on OP Stack chains. */
const WETH_ON_BASE = '0x4200000000000000000000000000000000000006'
const YEAR = 31_536_000n
const REGISTER = 'register(string,address,uint256,bytes32,address,bytes[],bool,uint16)'
const DEPOSIT_V3 =
  'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)'

export const everydayOrders: readonly EverydayRow[] = [
  harmless(
    'opensea-listing',
    [APES, /\b7\b/, '19.5 ETH', marketplace],
    seaportOrder({
      offer: [{ token: BAYC, id: 7n }],
      consideration: [coins('19.5', ACCOUNT), coins('0.5', at.OPENSEA_FEES)],
      conduitKey,
    }),
    unlimited(BAYC, OPENSEA_CONDUIT),
  ),
  harmless(
    'opensea-offer',
    ['0.5 WETH', APES, /\b1234\b/, marketplace],
    seaportOrder({
      offer: [{ token: WETH, amount: ether('0.5') }],
      consideration: [
        { token: BAYC, id: 1234n, recipient: ACCOUNT },
        { token: WETH, amount: ether('0.0125'), recipient: at.OPENSEA_FEES },
      ],
      conduitKey,
    }),
    unlimited(WETH, OPENSEA_CONDUIT),
  ),
  {
    name: 'opensea-conduit-as-operator',
    atMost: 'caution',
    says: [/OpenSea/, APES, EVERYTHING],
    request: calling(BAYC, 'setApprovalForAll(address,bool)', [OPENSEA_CONDUIT, true]),
  },
  harmless('cancel-orders', [/cancel/i, marketplace], calling(at.SEAPORT, 'incrementCounter()')),
  harmless(
    'cow-order',
    ['1000 USDC', '0.33 WETH', /CoW/i],
    cowOrder({ sells, buys, receiver: ACCOUNT }),
    unlimited(USDC, at.COW_RELAYER),
  ),
  {
    name: 'approve-cow-without-limit',
    atMost: 'caution',
    says: [/CoW/i, /USDC/, EVERYTHING],
    request: calling(USDC, 'approve(address,uint256)', [at.COW_RELAYER, MAX]),
  },
  harmless(
    'oneinch-limit-order',
    ['1000 USDC', '0.33 WETH', /1inch/i],
    oneInchOrder({ sells, buys, receiver: at.ZERO }),
    unlimited(USDC, at.ONEINCH_ROUTER),
  ),
  harmless(
    'ens-registration',
    ['0.003 ETH', /ENS/],
    calling(
      at.ENS_CONTROLLER,
      REGISTER,
      ['heliograph', ACCOUNT, YEAR, `0x${'1f'.repeat(32)}`, at.ENS_RESOLVER, [], false, 0],
      ether('0.003'),
    ),
  ),
  harmless('snapshot-vote', [/aave\.eth/, /vot(?:e|ing)/i], snapshotVote('aave.eth', NOW)),
  harmless(
    'bridge-across',
    ['0.5 ETH', /\bBase\b/, /Across/, own],
    calling(
      at.ACROSS_POOL,
      DEPOSIT_V3,
      [
        ...[ACCOUNT, ACCOUNT, WETH, WETH_ON_BASE, ether('0.5'), ether('0.499'), 8453n, at.ZERO],
        ...[BigInt(NOW / 1000), IN_30_MINUTES, 0, '0x'],
      ],
      ether('0.5'),
    ),
  ),
  harmless(
    'bridge-to-arbitrum',
    ['0.1 ETH', /Arbitrum/, own],
    calling(at.ARBITRUM_INBOX, 'depositEth()', [], ether('0.1')),
  ),
  harmless(
    'bridge-to-optimism',
    ['0.1 ETH', /Optimism|OP Mainnet/, own],
    calling(at.OPTIMISM_BRIDGE, 'depositETH(uint32,bytes)', [200_000, '0x'], ether('0.1')),
  ),
]
