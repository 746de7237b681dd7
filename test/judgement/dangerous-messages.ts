/**
 * Messages that cannot be read or belong to another site, a network with a known name, and a fee that takes the
 * balance.
 */
import { hexlify, parseUnits, toQuantity, toUtf8Bytes } from 'ethers'
import { NOW } from '../../extension/src/wallet/wallet.fixture.ts'
import { ACCOUNT, SAVINGS, THIEF } from './addresses.ts'
import { personalSign, transaction } from './encode.ts'
import { type DangerousRow, unidentified } from './rows.ts'
import { signInTo } from './sign-in.ts'
import { hyperliquidWithdrawal } from './typed.ts'

const HASH = `0x${'c4'.repeat(31)}80`
const blind = /read|bytes|hash|unknown/i
const FEE = toQuantity(parseUnits('500', 'gwei'))

export const dangerousMessages: readonly DangerousRow[] = [
  {
    name: 'withdrawal-at-hyperliquid',
    atLeast: 'caution',
    says: [/(?<![\d.])5000\b/, /Hyperliquid/i, unidentified(THIEF)],
    request: hyperliquidWithdrawal(THIEF, '5000', NOW),
  },
  {
    name: 'raw-hash',
    atLeast: 'caution',
    says: [blind],
    request: { method: 'eth_sign', params: [ACCOUNT, HASH] },
  },
  { name: 'hash-as-a-message', atLeast: 'caution', says: [blind], request: personalSign(HASH) },
  {
    name: 'hash-written-as-text',
    atLeast: 'caution',
    says: [/hash/i],
    request: personalSign(hexlify(toUtf8Bytes(HASH))),
  },
  {
    name: 'sign-in-of-another-site',
    atLeast: 'danger',
    says: [/opensea\.io/, /sign/i],
    request: personalSign(signInTo('opensea.io')),
  },
  {
    name: 'hidden-characters',
    atLeast: 'caution',
    says: [/hidden|invisible/i],
    request: personalSign(hexlify(toUtf8Bytes('Pay \u202e0001\u202c to al\u200bice'))),
  },
  {
    name: 'network-with-a-known-name',
    atLeast: 'danger',
    says: [/Ethereum/, /another|not|differ|same|imitat/i],
    request: {
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: '0x539',
          chainName: 'Ethereum',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: ['https://node.elsewhere.example/'],
        },
      ],
    },
  },
  {
    name: 'fees-that-take-the-balance',
    atLeast: 'danger',
    says: [/fee/i],
    request: transaction(
      { to: SAVINGS, value: 1n },
      { gas: toQuantity(30_000_000), maxFeePerGas: FEE, maxPriorityFeePerGas: FEE },
    ),
  },
]
