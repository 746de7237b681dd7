/** Allowances and rights for unidentified parties. */
import * as at from './addresses.ts'
import { batch, calling, encodeCall, ether, FOR_EVER, MAX, type Request, usdc } from './encode.ts'
import { APES, type DangerousRow, EVERYTHING, unidentified } from './rows.ts'
import { transferOf } from './smart-accounts.ts'
import {
  compoundManager,
  morphoAuthorization,
  onEthereum,
  permit,
  permitBatch,
  permitBatchTransfer,
  permitOfDai,
  permitOfPosition,
} from './typed.ts'

const { THIEF, THIEF_CONTRACT, USDC, WETH, BAYC } = at
const thief = unidentified(THIEF)
const contract = unidentified(THIEF_CONTRACT)
const all = usdc('5000')

const danger = (name: string, request: Request, ...says: DangerousRow['says']): DangerousRow => ({
  name,
  atLeast: 'danger',
  says,
  request,
})

const APPROVE = 'approve(address,uint256)'
const actForAccount = /withdraw|borrow|act for|in your name|manage|control/i
const endless = /for ?ever|never expires|no (?:end|expiry|limit)|without (?:an? )?(?:end|expiry)|5138/i
const ofUsdc = [/USDC/, EVERYTHING, thief]
const balances = [
  [USDC, all],
  [WETH, ether('3')],
] as const

export const dangerousRights: readonly DangerousRow[] = [
  danger('permit-without-limit', permit(THIEF, MAX, { deadline: FOR_EVER }), ...ofUsdc),
  danger('permit-of-the-whole-balance', permit(THIEF, all), ...ofUsdc),
  danger(
    'permit-of-the-whole-balance-for-an-unknown-contract',
    permit(THIEF_CONTRACT, all),
    ...['5000 USDC', EVERYTHING, contract],
  ),
  danger('permit-of-a-part-for-an-address-without-code', permit(THIEF, usdc('100')), '100 USDC', thief),
  {
    ...danger(
      'permit-for-ever',
      permit(THIEF_CONTRACT, usdc('10'), { deadline: FOR_EVER }),
      '10 USDC',
      contract,
      endless,
    ),
    atLeast: 'caution',
  },
  danger('permit-of-dai', permitOfDai(THIEF), /DAI/, EVERYTHING, thief),
  danger(
    'permit-under-another-name',
    permit(THIEF, ether('3'), { domain: onEthereum(WETH, 'USD Coin', '2') }),
    ...['3 WETH', EVERYTHING, thief],
  ),
  danger('permit2-batch-of-whole-balances', permitBatch(balances, THIEF), '5000 USDC', '3 WETH', EVERYTHING, thief),
  danger(
    'permit2-transfer-of-whole-balances',
    permitBatchTransfer(balances, THIEF),
    ...['5000 USDC', '3 WETH', EVERYTHING, thief],
  ),
  danger('approve-of-the-whole-balance', calling(USDC, APPROVE, [THIEF, all]), ...ofUsdc),
  danger(
    'increase-of-the-allowance-to-everything',
    calling(USDC, 'increaseAllowance(address,uint256)', [THIEF, all]),
    ...ofUsdc,
  ),
  danger(
    'approve-without-limit-for-an-unknown-contract',
    calling(USDC, APPROVE, [THIEF_CONTRACT, MAX]),
    ...[/USDC/, EVERYTHING, contract],
  ),
  {
    ...danger(
      'approve-of-a-part-for-an-unknown-contract',
      calling(USDC, APPROVE, [THIEF_CONTRACT, usdc('100')]),
      ...['100 USDC', contract],
    ),
    atLeast: 'caution',
  },
  danger('approve-and-call', calling(USDC, 'approveAndCall(address,uint256,bytes)', [THIEF, MAX, '0x']), ...ofUsdc),
  danger(
    'nine-good-calls-and-an-allowance',
    batch(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(units => transferOf(at.SAVINGS, `0.00000${units}`)), {
      to: USDC,
      data: encodeCall(APPROVE, THIEF, all),
    }),
    ...ofUsdc,
  ),
  danger('operator-of-a-collection', calling(BAYC, 'setApprovalForAll(address,bool)', [THIEF, true]), APES, thief),
  danger('approval-of-one-item', calling(BAYC, APPROVE, [THIEF, 7n]), APES, thief),
  danger('permit-of-an-item', permitOfPosition(THIEF, 7n), /Uniswap|UNI-V3-POS/i, /\b7\b/, thief),
  danger('manager-at-compound-by-signature', compoundManager(THIEF), actForAccount, thief),
  danger('manager-at-compound', calling(at.COMPOUND_USDC, 'allow(address,bool)', [THIEF, true]), actForAccount, thief),
  danger('authorization-at-morpho-by-signature', morphoAuthorization(THIEF), actForAccount, thief),
  danger(
    'credit-delegation-at-aave',
    calling(at.AAVE_USDC_DEBT, 'approveDelegation(address,uint256)', [THIEF, MAX]),
    ...[/borrow/i, /USDC/, thief],
  ),
]
