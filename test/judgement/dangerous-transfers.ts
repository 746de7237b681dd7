/** Transfers to parties that the wallet does not know, directly and through contracts that it knows. */
import * as at from './addresses.ts'
import { unlimited, viaPermit2 } from './contracts.ts'
import { calling, encodeCall, ether, IN_30_DAYS, IN_30_MINUTES, MAX, MAX_160, transaction, usdc } from './encode.ts'
import { APES, type DangerousRow, EVERYTHING, unidentified } from './rows.ts'
import { alsoMoving, move } from './simulated.ts'
import { transferAuthorization } from './typed.ts'
import { routerCall, send, takeWithPermit2, usePermit } from './uniswap.ts'

const { ACCOUNT, THIEF, USDC, UNIVERSAL_ROUTER } = at
const thief = unidentified(THIEF)
const all = usdc('5000')
const nearlyAll = ether('4.9')
const allUsdc = ['5000 USDC', EVERYTHING, thief]
const TRANSFER = 'transfer(address,uint256)'

const losesUsdc = alsoMoving(move(USDC, all, ACCOUNT, THIEF))

/** A payment of 0.1 ETH to an address that looks like Mira's. */
const toLookAlike = (name: string, to: string): DangerousRow => ({
  name,
  atLeast: 'danger',
  says: ['0.1 ETH', /look|like|similar|resembl|imitat|almost/i],
  request: transaction({ to, value: ether('0.1') }),
})

export const dangerousTransfers: readonly DangerousRow[] = [
  {
    name: 'transfer-of-the-whole-balance',
    atLeast: 'danger',
    says: allUsdc,
    request: calling(USDC, TRANSFER, [THIEF, all]),
  },
  {
    name: 'payment-of-98-percent',
    atLeast: 'danger',
    says: ['4.9 ETH', thief],
    request: transaction({ to: THIEF, value: nearlyAll }),
  },
  {
    name: 'transfer-of-half',
    atLeast: 'caution',
    says: ['2500 USDC', thief],
    request: calling(USDC, TRANSFER, [THIEF, usdc('2500')]),
  },
  {
    name: 'transfer-of-an-item',
    atLeast: 'caution',
    says: [APES, /\b7\b/, thief],
    request: calling(at.BAYC, 'safeTransferFrom(address,address,uint256)', [ACCOUNT, THIEF, 7n]),
  },
  {
    name: 'transfer-by-permit2',
    atLeast: 'danger',
    says: allUsdc,
    request: calling(at.PERMIT2, 'transferFrom(address,address,uint160,address)', [ACCOUNT, THIEF, all, USDC]),
    node: { simulation: losesUsdc, rights: viaPermit2(USDC, ACCOUNT) },
  },
  {
    name: 'universal-router-takes-the-balance',
    atLeast: 'danger',
    says: allUsdc,
    request: routerCall([takeWithPermit2(USDC, THIEF, all)]),
    node: { simulation: losesUsdc, rights: viaPermit2(USDC, UNIVERSAL_ROUTER) },
  },
  {
    name: 'permit-and-take-in-the-router',
    atLeast: 'danger',
    says: allUsdc,
    request: routerCall([usePermit(USDC, MAX_160, IN_30_DAYS), takeWithPermit2(USDC, THIEF, all)]),
    node: { simulation: losesUsdc, rights: [unlimited(USDC, at.PERMIT2)] },
  },
  {
    name: 'multicall-of-an-unknown-contract',
    atLeast: 'danger',
    says: ['5000 USDC', EVERYTHING, new RegExp(`${thief.source}|${at.THIEF_CONTRACT.slice(0, 6)}`, 'i')],
    request: calling(at.THIEF_CONTRACT, 'multicall(bytes[])', [
      [encodeCall('transferFrom(address,address,uint256)', ACCOUNT, THIEF, all)],
    ]),
    node: { simulation: losesUsdc, rights: [unlimited(USDC, at.THIEF_CONTRACT)] },
  },
  {
    name: 'universal-router-pays-the-thief',
    atLeast: 'danger',
    says: ['4.9 ETH', thief],
    request: routerCall([send(at.ZERO, THIEF, nearlyAll)], nearlyAll),
    node: { simulation: alsoMoving(move(null, nearlyAll, UNIVERSAL_ROUTER, THIEF)) },
  },
  {
    name: 'swap-for-the-thief',
    atLeast: 'danger',
    says: ['1 ETH', /USDC/, thief],
    request: calling(
      at.V2_ROUTER,
      'swapExactETHForTokens(uint256,address[],address,uint256)',
      [usdc('3000'), [at.WETH, USDC], THIEF, IN_30_MINUTES],
      ether('1'),
    ),
    node: { simulation: alsoMoving(move(USDC, usdc('3100'), at.addressNamed('a pool'), THIEF)) },
  },
  {
    name: 'aave-withdrawal-to-the-thief',
    atLeast: 'danger',
    says: [/(?<![\d.])4000 (?:USDC|aEthUSDC)/, thief],
    request: calling(at.AAVE_POOL, 'withdraw(address,uint256,address)', [USDC, MAX, THIEF]),
    node: {
      simulation: alsoMoving(
        move(at.AAVE_USDC, usdc('4000'), ACCOUNT, at.ZERO),
        move(USDC, usdc('4000'), at.AAVE_USDC, THIEF),
      ),
    },
  },
  {
    name: 'bridge-to-the-thief',
    atLeast: 'danger',
    says: ['4.9 ETH', /Optimism|OP Mainnet/, thief],
    request: calling(at.OPTIMISM_BRIDGE, 'bridgeETHTo(address,uint32,bytes)', [THIEF, 200_000, '0x'], nearlyAll),
  },
  {
    name: 'transfer-authorization-of-everything',
    atLeast: 'danger',
    says: allUsdc,
    request: transferAuthorization(THIEF, all),
  },
  toLookAlike('look-alike-4-4', at.LIKE_MIRA_4_4),
  toLookAlike('look-alike-3-6', at.LIKE_MIRA_3_6),
  {
    ...toLookAlike('look-alike-imported-as-a-contact', at.LIKE_MIRA_4_4),
    // The last letter of this name is Cyrillic.
    prepare: ui => ui.importEntries({ entries: [{ kind: 'contact', address: at.LIKE_MIRA_4_4, name: 'Mir\u0430' }] }),
  },
  {
    name: 'watch-only-is-not-an-own-account',
    atLeast: 'danger',
    says: ['4.9 ETH', /Hoard/, /watch|no key|without (?:a |its )?key/i],
    request: transaction({ to: THIEF, value: nearlyAll }),
    prepare: ui => ui.addWatchOnly({ address: THIEF, name: 'Hoard' }),
  },
  {
    name: 'transfer-to-the-token-itself',
    atLeast: 'danger',
    says: ['100 USDC', /contract|token|lost/i],
    request: calling(USDC, TRANSFER, [USDC, usdc('100')]),
  },
]
