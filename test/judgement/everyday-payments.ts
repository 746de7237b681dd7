/** Payments by the account and its Safe, small purchases, gains, sign-ins and claims. */
import { hexlify, toUtf8Bytes } from 'ethers'
import * as at from './addresses.ts'
import { unlimited } from './contracts.ts'
import { calling, ether, personalSign, type Request, transaction } from './encode.ts'
import { type EverydayRow, unidentified } from './rows.ts'
import { signInTo } from './sign-in.ts'
import { alsoMoving, move } from './simulated.ts'
import { execTransaction, multiSend, safeTx, transferOf } from './smart-accounts.ts'
import { farcasterVerification } from './typed.ts'

const { ACCOUNT, DISTRIBUTOR, DOTS, MIRA, OWN_SAFE, SAVINGS, STRANGER, THIEF_CONTRACT, UNI, USDC } = at
const tenth = ether('0.1')

const harmless = (name: string, says: EverydayRow['says'], request: Request): EverydayRow => ({
  name,
  atMost: 'none',
  says,
  request,
})

const OPENSEA_LOGIN = `Welcome to OpenSea!

Click to sign in and accept the OpenSea Terms of Service (https://opensea.io/tos) and Privacy Policy (https://opensea.io/privacy).

This request will not trigger a blockchain transaction or cost any gas fees.

Wallet address:
${ACCOUNT.toLowerCase()}

Nonce:
6d5b5d1c-3b0e-4c6f-9a8e-2f1f5d0c7a41`

const toMira = transferOf(MIRA, '100')
const savings = { to: SAVINGS, value: tenth }

export const everydayPayments: readonly EverydayRow[] = [
  harmless('safe-transfer-by-signature', ['100 USDC', /Mira/, /Safe/], safeTx(toMira)),
  harmless(
    'safe-batch-by-signature',
    ['10 USDC', /Mira/, '0.1 ETH', /Savings/, /Safe/],
    safeTx({ to: at.MULTI_SEND_CALL_ONLY, data: multiSend(transferOf(MIRA, '10'), savings), operation: 1 }),
  ),
  {
    ...harmless('safe-execution', ['100 USDC', /Mira/, /Safe/], execTransaction(toMira)),
    node: { simulation: alsoMoving(move(USDC, 100_000_000n, OWN_SAFE, MIRA)) },
  },
  {
    name: 'payment-to-a-stranger',
    atMost: 'caution',
    says: ['0.1 ETH', unidentified(STRANGER)],
    request: transaction({ to: STRANGER, value: tenth }),
  },
  harmless('payment-to-a-contact', ['0.1 ETH', /Mira/], transaction({ to: MIRA, value: tenth })),
  harmless('tokens-to-an-own-account', ['50 USDC', /Savings/], transaction(transferOf(SAVINGS, '50'))),
  {
    ...harmless(
      'revocation',
      [/no longer|stop|revoke|remove|end/i, /USDC/, unidentified(THIEF_CONTRACT)],
      calling(USDC, 'approve(address,uint256)', [THIEF_CONTRACT, 0n]),
    ),
    node: { rights: [unlimited(USDC, THIEF_CONTRACT)] },
  },
  {
    name: 'mint-of-a-new-collection',
    atMost: 'caution',
    says: ['0.01 ETH', /DOTS/i, unidentified(DOTS)],
    request: calling(DOTS, 'mint(uint256)', [1n], ether('0.01')),
    node: { simulation: alsoMoving({ ...move(DOTS, 1n, at.ZERO, ACCOUNT), id: 41n }) },
  },
  {
    name: 'airdrop-claim',
    atMost: 'caution',
    says: ['40 UNI', unidentified(DISTRIBUTOR)],
    request: calling(DISTRIBUTOR, 'claim(uint256,address,uint256,bytes32[])', [
      ...[5_117n, ACCOUNT, ether('40')],
      [`0x${'6a'.repeat(32)}`, `0x${'93'.repeat(32)}`],
    ]),
    node: { simulation: alsoMoving(move(UNI, ether('40'), DISTRIBUTOR, ACCOUNT)) },
  },
  harmless('sign-in', [/sign/i, /site\.example/], personalSign(signInTo('site.example'))),
  harmless('opensea-login', [/sign/i, /message/i], personalSign(hexlify(toUtf8Bytes(OPENSEA_LOGIN)))),
  {
    name: 'verification-at-farcaster',
    atMost: 'caution',
    says: [/verif/i, /Farcaster/],
    request: farcasterVerification(),
  },
]
