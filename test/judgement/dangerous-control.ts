/** Control over the account, its contracts, names and Safe. */
import { toQuantity, ZeroHash } from 'ethers'
import * as at from './addresses.ts'
import { calling, encodeCall, ether, type Request, transaction } from './encode.ts'
import { type DangerousRow, EVERYTHING, unidentified } from './rows.ts'
import { move } from './simulated.ts'
import {
  execTransaction,
  nestedPermit,
  safeMessage,
  safeOperation,
  safeTx,
  transferOf,
  userOperation,
} from './smart-accounts.ts'
import { delegation } from './typed.ts'

const { ACCOUNT, OWN_CONTRACT, OWN_SAFE, THIEF, THIEF_CONTRACT, USDC } = at
const thief = unidentified(THIEF)
const contract = unidentified(THIEF_CONTRACT)
const control = /control|owner|code|admin/i

const danger = (name: string, request: Request, ...says: DangerousRow['says']): DangerousRow => ({
  name,
  atLeast: 'danger',
  says,
  request,
})

/** The form in which a wallet that signs the authorization itself would send it. */
const authorization = {
  chainId: '0x1',
  address: THIEF_CONTRACT,
  nonce: '0x1',
  yParity: '0x0',
  r: `0x${'41'.repeat(32)}`,
  s: `0x${'21'.repeat(32)}`,
}

const unitOfUsdc = encodeCall('transfer(address,uint256)', ACCOUNT, 1n)
const unitForSavings = encodeCall('transfer(address,uint256)', at.SAVINGS, 1n)
const refund = { baseGas: 10n ** 12n, gasPrice: 10n ** 9n, receiver: THIEF }
const node = encodeCall('setOwner(bytes32,address)', `0x${'e5'.repeat(32)}`, THIEF)
/** The predecessor of the first owner in a Safe's linked list of owners. */
const FIRST = `0x${'0'.repeat(39)}1`

export const dangerousControl: readonly DangerousRow[] = [
  danger('delegation-by-signature', delegation(THIEF_CONTRACT), control, contract),
  danger(
    'delegation-by-transaction',
    transaction({ to: ACCOUNT }, { type: '0x4', authorizationList: [authorization], nonce: toQuantity(0) }),
    ...[control, contract],
  ),
  danger('transfer-of-ownership', calling(OWN_CONTRACT, 'transferOwnership(address)', [THIEF]), control, thief),
  danger('upgrade-of-a-proxy', calling(OWN_CONTRACT, 'upgradeTo(address)', [THIEF_CONTRACT]), control, contract),
  danger(
    'role-of-the-admin',
    calling(OWN_CONTRACT, 'grantRole(bytes32,address)', [ZeroHash, THIEF]),
    ...[control, thief],
  ),
  danger('owner-of-a-name', transaction({ to: at.ENS_REGISTRY, data: node }), /owner|control/i, /ENS|name/, thief),
  danger(
    'safe-new-owner',
    safeTx({ to: OWN_SAFE, data: encodeCall('addOwnerWithThreshold(address,uint256)', THIEF, 1n) }),
    ...[/owner|control/i, /Safe/, thief],
  ),
  danger(
    'safe-swapped-owner',
    execTransaction({ to: OWN_SAFE, data: encodeCall('swapOwner(address,address,address)', FIRST, ACCOUNT, THIEF) }),
    ...[/owner|control/i, /Safe/, thief],
  ),
  danger(
    'safe-module',
    safeTx({ to: OWN_SAFE, data: encodeCall('enableModule(address)', THIEF_CONTRACT) }),
    ...[control, /Safe/, contract],
  ),
  danger(
    'safe-delegatecall',
    safeTx({
      to: THIEF_CONTRACT,
      data: encodeCall('transfer(address,uint256)', THIEF_CONTRACT, 0n),
      operation: 1,
    }),
    ...[control, /Safe/, contract],
  ),
  {
    ...danger(
      'safe-refund',
      execTransaction({ to: USDC, data: unitOfUsdc, refund }),
      ...[/refund/i, /(?<![\d.])1000(?:\.\d+)? ETH/, /Safe/, thief],
    ),
    node: { simulation: () => [move(USDC, 1n, OWN_SAFE, ACCOUNT), move(null, ether('20'), OWN_SAFE, THIEF)] },
  },
  danger(
    'safe-refund-by-signature',
    safeTx({ to: USDC, data: unitForSavings, refund }),
    ...[/refund/i, /(?<![\d.])1000(?:\.\d+)? ETH/, /Safe/, thief],
  ),
  danger(
    'safe-operation-with-delegatecall',
    safeOperation(encodeCall('executeUserOp(address,uint256,bytes,uint8)', THIEF_CONTRACT, 0n, '0x12345678', 1)),
    ...[control, /Safe|smart account/i, contract],
  ),
  {
    ...danger(
      'user-operation-that-moves-tokens',
      userOperation(encodeCall('execute(address,uint256,bytes)', USDC, 0n, transferOf(THIEF, '5000').data)),
      ...['5000 USDC', thief],
    ),
    atLeast: 'caution',
  },
  danger('nested-permit', nestedPermit(THIEF), /USDC/, EVERYTHING, thief),
  {
    ...danger(
      'blind-message-of-a-safe',
      safeMessage(`0x${'b7'.repeat(32)}`),
      ...[/Safe|smart account/i, /read|hash|bytes|unknown/i],
    ),
    atLeast: 'caution',
  },
]
