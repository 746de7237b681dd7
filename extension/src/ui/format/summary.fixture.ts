/** A network and requests for tests of texts. */
import type {
  AccountView,
  Act,
  BalanceChangeView,
  Effect,
  Finding,
  FindingName,
  NetworkView,
  PartyKind,
  PartyView,
  SimulationView,
  TokenView,
  TransactionEffect,
} from '../../messages.ts'
import { NO_BREAK_SPACE } from './numbers.ts'
import type { Asked } from './parties.ts'

export const network: NetworkView = {
  chainId: 1,
  title: 'Ethereum',
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrls: [],
  added: false,
}

export const OWN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const SAVINGS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
export const PROTOCOL = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af'
export const CONTRACT = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const NOBODY = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
export const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

export const account: AccountView = { address: OWN, name: 'Trading', kind: 'privateKey', phraseId: null }

export const party = (address: string, kind: PartyKind, more: Partial<PartyView> = {}): PartyView => ({
  address,
  kind,
  name: null,
  ...more,
})

/** One party of each usual kind. */
export const PARTIES: readonly PartyView[] = [
  party(OWN, 'own', { name: 'Trading' }),
  party(SAVINGS, 'own', { name: 'Savings' }),
  party(MIRA, 'contact', { name: 'Mira' }),
  party(PROTOCOL, 'known', { name: 'Harbor', what: 'router', role: 'router' }),
  party(CONTRACT, 'contract'),
  party(NOBODY, 'noCode'),
]

/** A listed token. The account holds 5,000 units of it. */
export const usdc: TokenView = { address: TOKEN, symbol: 'USDC', decimals: 6, balance: '5000000000', listed: true }

export const transaction = (more: Partial<TransactionEffect> = {}): TransactionEffect => ({
  kind: 'transaction',
  broadcast: true,
  to: null,
  value: '0x0',
  data: '0x',
  nonce: null,
  call: null,
  acts: [],
  tokens: [usdc],
  limit: null,
  fee: null,
  balance: '0x4563918244f40000',
  ...more,
})

/** Returns a call of a function. */
export const calling = (to: string, signature: string, more: Partial<TransactionEffect> = {}): TransactionEffect =>
  transaction({ to, data: '0x12345678', call: { name: signature, signature, args: [] }, ...more })

export const acting = (...acts: readonly Act[]): TransactionEffect => transaction({ acts })

export const asking = (effect: Effect, more: Partial<Asked> = {}): Asked => ({
  effect,
  network,
  account,
  findings: [],
  parties: PARTIES,
  ...more,
})

export const finding = (name: FindingName, ...values: readonly string[]): Finding => ({ level: 'danger', name, values })

export const change = (
  direction: 'out' | 'in',
  amount: string,
  more: Partial<BalanceChangeView> = {},
): BalanceChangeView => ({
  kind: 'erc20',
  token: TOKEN,
  id: null,
  direction,
  amount,
  symbol: 'USDC',
  decimals: 6,
  ...more,
})

export const coinChange = (direction: 'out' | 'in', amount: string): BalanceChangeView =>
  change(direction, amount, { kind: 'native', token: null, symbol: null, decimals: null })

export const showing = (...changes: readonly BalanceChangeView[]): { simulation: SimulationView } => ({
  simulation: { by: 'simulate', changes, hidden: 0, failure: null },
})

/** Replaces special spaces in a text with normal ones. */
export const plain = (text: string | undefined): string | undefined => text?.replaceAll(NO_BREAK_SPACE, ' ')
