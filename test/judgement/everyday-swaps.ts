/** Allowances, swaps and deposits at contracts of the catalogue. */
import * as at from './addresses.ts'
import { type Right, unlimited } from './contracts.ts'
import { batch, calling, encodeCall, ether, IN_30_DAYS, IN_30_MINUTES, MAX, MAX_160, usdc } from './encode.ts'
import { EVERYTHING, type EverydayRow } from './rows.ts'
import { alsoMoving, move, movingAt, type Simulation } from './simulated.ts'
import { permitSingle } from './typed.ts'
import { routerCall, SENDER, swapExactIn, wrapCoins } from './uniswap.ts'

const { AAVE_POOL, AAVE_USDC, ACCOUNT, PERMIT2, SWAP_ROUTER_02, UNIVERSAL_ROUTER, USDC, WETH, ZERO } = at
const POOL = at.addressNamed('a pool')
const hundred = usdc('100')
const tenth = ether('0.1')
const APPROVE = 'approve(address,uint256)'
const PERIOD = /30 (?:min|days)|\buntil\b|expire|minutes|days/i

type More = Pick<EverydayRow, 'request' | 'node'>

const harmless = (name: string, says: EverydayRow['says'], more: More): EverydayRow => ({
  name,
  atMost: 'none',
  says,
  ...more,
})

const moving = (simulation: Simulation, ...rights: readonly Right[]) => ({ simulation, rights })

const EXACT_INPUT = 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))'
const swapValues = [USDC, WETH, 500, ACCOUNT, hundred, ether('0.03'), 0n]
const paysUsdc = (to: string) => move(USDC, hundred, ACCOUNT, to)
const getsWeth = move(WETH, ether('0.032'), POOL, ACCOUNT)
const getsUsdc = move(USDC, usdc('310'), POOL, ACCOUNT)

export const everydaySwaps: readonly EverydayRow[] = [
  harmless('approve-permit2-exact', ['100 USDC', /Permit2|Uniswap/], {
    request: calling(USDC, APPROVE, [PERMIT2, hundred]),
  }),
  harmless('permit2-exact-for-the-router', ['100 USDC', /Uniswap/, PERIOD], {
    request: permitSingle([USDC, hundred], UNIVERSAL_ROUTER, IN_30_MINUTES),
    node: { rights: [{ token: USDC, spender: PERMIT2, amount: hundred }] },
  }),
  harmless('universal-router-coins-for-tokens', ['0.1 ETH', '310 USDC', /Uniswap/], {
    request: routerCall([wrapCoins(tenth), swapExactIn(SENDER, tenth, usdc('300'), [WETH, '0x0001f4', USDC])], tenth),
    node: { simulation: alsoMoving(getsUsdc) },
  }),
  harmless('v3-router-swap', ['100 USDC', '0.032 WETH', /Uniswap/], {
    request: calling(SWAP_ROUTER_02, EXACT_INPUT, [swapValues]),
    node: moving(alsoMoving(paysUsdc(POOL), getsWeth), unlimited(USDC, SWAP_ROUTER_02)),
  }),
  harmless('v2-router-swap', ['0.1 ETH', '310 USDC', /Uniswap/], {
    request: calling(
      at.V2_ROUTER,
      'swapExactETHForTokens(uint256,address[],address,uint256)',
      [usdc('300'), [WETH, USDC], ACCOUNT, IN_30_MINUTES],
      tenth,
    ),
    node: { simulation: alsoMoving(getsUsdc) },
  }),
  harmless('allowance-and-swap-in-one-batch', ['100 USDC', '0.032 WETH', /Uniswap/], {
    request: batch(
      { to: USDC, data: encodeCall(APPROVE, SWAP_ROUTER_02, hundred) },
      { to: SWAP_ROUTER_02, data: encodeCall(EXACT_INPUT, swapValues) },
    ),
    node: { simulation: movingAt(SWAP_ROUTER_02, paysUsdc(POOL), getsWeth) },
  }),
  {
    name: 'uniswaps-own-unlimited-permit',
    atMost: 'caution',
    says: [/Uniswap/, /USDC/, EVERYTHING, PERIOD],
    request: permitSingle([USDC, MAX_160], UNIVERSAL_ROUTER, IN_30_DAYS),
    node: { rights: [unlimited(USDC, PERMIT2)] },
  },
  {
    name: 'approve-permit2-without-limit',
    atMost: 'caution',
    says: [/Permit2|Uniswap/, /USDC/, EVERYTHING],
    request: calling(USDC, APPROVE, [PERMIT2, MAX]),
  },
  harmless('wrap-coins', ['0.1 ETH', /\bwrap/i], {
    request: calling(WETH, 'deposit()', [], tenth),
    node: { simulation: alsoMoving(move(WETH, tenth, ZERO, ACCOUNT)) },
  }),
  harmless('unwrap-coins', ['0.1 WETH', /unwrap/i], {
    request: calling(WETH, 'withdraw(uint256)', [tenth]),
    node: { simulation: alsoMoving(move(WETH, tenth, ACCOUNT, ZERO), move(null, tenth, WETH, ACCOUNT)) },
  }),
  harmless('stake-at-lido', ['1 ETH', '1 stETH', /Lido/], {
    request: calling(at.STETH, 'submit(address)', [ZERO], ether('1')),
    node: { simulation: alsoMoving(move(at.STETH, ether('1'), ZERO, ACCOUNT)) },
  }),
  harmless('supply-to-aave', ['100 USDC', /Aave/], {
    request: calling(AAVE_POOL, 'supply(address,uint256,address,uint16)', [USDC, hundred, ACCOUNT, 0]),
    node: moving(alsoMoving(paysUsdc(AAVE_USDC), move(AAVE_USDC, hundred, ZERO, ACCOUNT)), unlimited(USDC, AAVE_POOL)),
  }),
  harmless('supply-to-compound', ['100 USDC', /Compound/], {
    request: calling(at.COMPOUND_USDC, 'supply(address,uint256)', [USDC, hundred]),
    node: moving(
      alsoMoving(paysUsdc(at.COMPOUND_USDC), move(at.COMPOUND_USDC, hundred, ZERO, ACCOUNT)),
      unlimited(USDC, at.COMPOUND_USDC),
    ),
  }),
  harmless('curve-exchange', ['100 USDC', '99.9 USDT', /Curve/], {
    request: calling(at.CURVE_3POOL, 'exchange(int128,int128,uint256,uint256)', [1, 2, hundred, usdc('99')]),
    node: moving(
      alsoMoving(paysUsdc(at.CURVE_3POOL), move(at.USDT, usdc('99.9'), at.CURVE_3POOL, ACCOUNT)),
      unlimited(USDC, at.CURVE_3POOL),
    ),
  }),
  harmless('interest-grows-between-two-runs', [/(?<![\d.])4000(?:\.\d+)? USDC/, /Aave/], {
    request: calling(AAVE_POOL, 'withdraw(address,uint256,address)', [USDC, MAX, ACCOUNT]),
    node: {
      simulation: ({ blocksLater }) => {
        const amount = usdc('4000') + 3n * blocksLater
        return [move(AAVE_USDC, amount, ACCOUNT, ZERO), move(USDC, amount, AAVE_USDC, ACCOUNT)]
      },
    },
  }),
  harmless('oneinch-swap', ['100 USDC', '0.032 WETH', /1inch/], {
    request: calling(
      at.ONEINCH_ROUTER,
      'swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)',
      [at.ONEINCH_EXECUTOR, [USDC, WETH, at.ONEINCH_EXECUTOR, ACCOUNT, hundred, ether('0.03'), 0n], '0x0000004f'],
    ),
    node: moving(
      alsoMoving(paysUsdc(at.ONEINCH_EXECUTOR), move(WETH, ether('0.032'), at.ONEINCH_ROUTER, ACCOUNT)),
      unlimited(USDC, at.ONEINCH_ROUTER),
    ),
  }),
]
