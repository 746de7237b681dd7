/** What the screens are drawn with: plain, long, empty and hostile. Addresses and sites are invented. */
import type {
  AccountView,
  Effect,
  Finding,
  NetworkView,
  RequestView,
  UiMethod,
  UiState,
  ValueView,
  WaitingView,
} from '../../extension/src/messages.ts'

export type Page = 'popup' | 'approval' | 'onboarding'
/** An answer to a call: a result, an error, or silence. */
export type Answer = unknown | Error | 'never'
export type Screen = { page: Page; state: UiState; answers?: Partial<Record<UiMethod, Answer>> }

/** The moment at which all screens are drawn. */
export const NOW = Date.UTC(2025, 10, 21, 14, 5)
const MINUTE = 60_000

const ofPhrase = { kind: 'phrase', phraseId: '1' } as const
const trading: AccountView = { ...ofPhrase, address: '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408', name: 'Trading' }
const treasury: AccountView = { ...ofPhrase, address: '0xAF5ECcB315e1469640B5082fa8fd495993D8b591', name: 'Treasury' }
const cold: AccountView = {
  ...ofPhrase,
  address: '0xd95eDC425E87006B293431998dE7668dC7b44C65',
  name: 'Cold storage, key in the office',
}
const mira = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const router = '0x253d832c2719B1f7078A453d5a35a1a509C2ED81'

const ethereum: NetworkView = {
  chainId: 1,
  title: 'Ethereum',
  symbol: 'ETH',
  decimals: 18,
  testnet: false,
  rpcUrl: 'https://rpc.home.example/eth',
}
const local: NetworkView = {
  chainId: 31337,
  title: 'Local chain',
  symbol: 'ETH',
  decimals: 18,
  testnet: true,
  rpcUrl: 'http://127.0.0.1:8545/',
}
const kaia: NetworkView = { chainId: 8217, title: 'Kaia', symbol: 'KAIA', decimals: 18, testnet: false, rpcUrl: null }
const longNetwork: NetworkView = {
  ...local,
  chainId: 90_210_123_456,
  title: 'The staging network of the settlement team, third attempt',
  symbol: 'SETTLEMENTGAS',
}

const empty: UiState = {
  phase: 'empty',
  accounts: [],
  hiddenAccounts: [],
  phrases: [],
  selected: null,
  networks: [ethereum, local, kaia],
  chainId: 1,
  requests: [],
  waiting: [],
  autoLockMinutes: 15,
  task: null,
}
const locked: UiState = { ...empty, phase: 'locked' }
const unlocked: UiState = {
  ...empty,
  phase: 'unlocked',
  accounts: [trading, treasury, cold],
  selected: trading.address,
}

const ether = (amount: number): string => `0x${(BigInt(Math.round(amount * 1e6)) * 10n ** 12n).toString(16)}`
const toHex = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('')}`

let serial = 0
const request = (effect: Effect, more: Partial<RequestView> = {}): RequestView => ({
  id: `request-${++serial}`,
  origin: 'https://app.meridian.example',
  method: 'eth_sendTransaction',
  since: Date.UTC(2025, 2, 12),
  createdAt: NOW - 3 * MINUTE,
  account: trading,
  network: ethereum,
  effect,
  findings: [],
  ...more,
})

const approval = (...requests: RequestView[]): Screen => ({
  page: 'approval',
  state: { ...unlocked, requests, waiting: requests },
})

const message = (text: string): Effect => ({
  kind: 'message',
  bytes: toHex(text),
  text,
  signedAs: 'Ethereum Signed Message',
})

const plainText = `Harbor Market listing terms, version 3

I agree to list item #4821 at the fee shown on this site.

Date: 21 November 2025
Reference: 7Q2-LK9`

const hostileText = `Register for Quill Events 2025.
Ticket: TCK-\u202e0094\u202c-A
Admin\u200bistrator: desk@quill\u2060-events.example

Pay to ${'a'.repeat(100)} \u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645
He\u0336\u0301\u0302\u0303\u0304\u0305\u0306\u0307llo <b>not bold</b>${'\n'.repeat(200)}No warnings${' and more words'.repeat(400)}`

const bytes = `0xdaa02df3ed7dade98e4683f1c4b845654ff9b1ead3de9ecbf5d42767b2f3b2e02fcf96d8be6403496d4537d770984d13`

const field = (name: string, type: string, value: string | readonly ValueView[]): ValueView => ({ name, type, value })
const nest = (depth: number): ValueView =>
  field('inner', 'Level', [field('amount', 'uint256', '1'), ...(depth > 0 ? [nest(depth - 1)] : [])])

const delegation: Effect = {
  kind: 'typedData',
  domain: [
    field('name', 'string', 'Northlight Vaults'),
    field('version', 'string', '1'),
    field('chainId', 'uint256', '1'),
    field('verifyingContract', 'address', '0x56fFaBB8Cf7C816cc72a22080aB9B8F04b0a70E7'),
  ],
  primaryType: 'Delegation',
  message: field('message', 'Delegation', [
    field('delegate', 'address', '0xD4C040F6F4A698aDe2F34051e489bcdCA530E7E3'),
    field('authority', 'bytes32', `0x${'f'.repeat(64)}`),
    field('caveats', 'Caveat[]', [
      field('0', 'Caveat', [
        field('enforcer', 'address', treasury.address),
        field('terms', 'bytes', `0x${'01'.repeat(40)}`),
      ]),
      field('1', 'Caveat', [field('enforcer', 'address', router), field('terms', 'bytes', '0x')]),
    ]),
    field('salt', 'uint256', '0'),
    field('isFinal', 'bool', 'true'),
  ]),
  json: JSON.stringify({ primaryType: 'Delegation', domain: { name: 'Northlight Vaults' } }, null, 2),
}

const fee = { gas: '0x5208', expected: ether(0.00041), atMost: ether(0.00058) }
const transaction = (more: Partial<Extract<Effect, { kind: 'transaction' }>>): Effect => ({
  kind: 'transaction',
  broadcast: true,
  to: mira,
  value: '0x0',
  data: '0x',
  nonce: '0x76',
  call: null,
  fee,
  ...more,
})
const transferCall = {
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  args: [field('to', 'address', mira), field('value', 'uint256', '250000000')],
}
const approveAll = {
  name: 'approve',
  signature: 'approve(address,uint256)',
  args: [
    field('spender', 'address', '0x1de75C8A5DF8a7FEE3579e1d203136815C2c2100'),
    field('value', 'uint256', (2n ** 256n - 1n).toString()),
  ],
}

const unfamiliar: Finding = { level: 'caution', name: 'unknownFormat', values: [] }
const hidden: Finding = { level: 'caution', name: 'hiddenCharacters', values: [] }
const unlimited: Finding = { level: 'danger', name: 'unlimitedAllowance', values: [] }
const noFunds: Finding = {
  level: 'blocked',
  name: 'insufficientFunds',
  values: ['580000000000000', '190000000000000', '390000000000000'],
}

const waits = (id: string, origin: string): WaitingView => ({
  id,
  origin,
  since: Date.UTC(2025, 2, 12),
  network: ethereum,
})

const connect: Effect = { kind: 'connect', accounts: [trading, treasury, cold] }
const send = request(transaction({ value: ether(0.5) }))
const sign = request(message(plainText), {
  origin: 'https://harbor.example',
  method: 'personal_sign',
  createdAt: NOW - 12_000,
})
const danger = request(transaction({ to: usdc, data: `0x095ea7b3${'00'.repeat(64)}`, call: approveAll }), {
  origin: 'https://airdrop-claims.example',
  since: null,
  findings: [unfamiliar, unlimited],
})

const balance = { getBalance: ether(3.841299) }
const phrase = 'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic'

export const screens: Record<string, Screen> = {
  start: { page: 'popup', state: empty },
  unlock: { page: 'popup', state: locked },
  'unlock-error': {
    page: 'popup',
    state: {
      ...locked,
      waiting: [waits('one', 'https://a.example'), waits('two', 'https://b.example')],
    },
    answers: { unlock: new Error('That password is not right.') },
  },
  home: { page: 'popup', state: unlocked, answers: balance },
  'home-test': { page: 'popup', state: { ...unlocked, chainId: local.chainId }, answers: { getBalance: ether(0.75) } },
  'home-waiting': {
    page: 'popup',
    state: { ...unlocked, waiting: [waits('one', 'https://a.example')] },
    answers: balance,
  },
  'home-empty': { page: 'popup', state: unlocked, answers: { getBalance: '0x0' } },
  'home-tiny': { page: 'popup', state: unlocked, answers: { getBalance: '0x1' } },
  'home-loading': { page: 'popup', state: unlocked, answers: { getBalance: 'never' } },
  'home-rpc-unreachable': {
    page: 'popup',
    state: unlocked,
    answers: { getBalance: new Error('Cannot reach the RPC') },
  },
  'home-no-rpc': { page: 'popup', state: { ...unlocked, chainId: kaia.chainId } },
  'home-long': {
    page: 'popup',
    state: {
      ...unlocked,
      accounts: [
        cold,
        ...Array.from({ length: 30 }, (_, at) => ({
          ...treasury,
          address: `${treasury.address.slice(0, -2)}${at + 10}`,
        })),
      ],
      selected: cold.address,
      networks: [longNetwork],
      chainId: longNetwork.chainId,
    },
    answers: { getBalance: `0x${(10n ** 29n).toString(16)}` },
  },
  welcome: { page: 'onboarding', state: empty },
  create: { page: 'onboarding', state: empty, answers: { newPhrase: phrase } },
  'create-slow': { page: 'onboarding', state: empty, answers: { newPhrase: phrase, createVault: 'never' } },
  import: { page: 'onboarding', state: empty, answers: { checkPhrase: { valid: true, unknownWords: [] } } },
  'import-unknown': { page: 'onboarding', state: empty, answers: { checkPhrase: { valid: false, unknownWords: [4] } } },
  done: { page: 'onboarding', state: unlocked },
  'approve-connect': approval(
    request(connect, { since: null, findings: [], method: 'eth_requestAccounts', account: null }),
  ),
  'approve-sign-text': approval(sign),
  'approve-sign-text-hostile': approval(
    request(message(hostileText), {
      origin: 'https://claim.quill-events.example',
      since: null,
      method: 'personal_sign',
      findings: [hidden],
    }),
  ),
  'approve-sign-hex': approval(
    request(
      { kind: 'message', bytes, text: null, signedAs: 'Ethereum Signed Message' },
      {
        method: 'personal_sign',
        findings: [{ level: 'caution', name: 'notText', values: ['48'] }],
      },
    ),
  ),
  'approve-typed-unknown': approval(
    request(delegation, {
      origin: 'https://vault.northlight.example',
      since: null,
      account: treasury,
      findings: [unfamiliar],
    }),
  ),
  'approve-typed-hostile': approval(
    request(
      {
        kind: 'typedData',
        domain: [field('name', 'string', `Trusted\u202e wallet ${'x'.repeat(200)}`)],
        primaryType: `Permit${'Very'.repeat(30)}Long`,
        message: field('message', 'Permit', [
          field(`a${'b'.repeat(120)}`, 'string', 'one\ntwo\u200b'),
          field('note', 'string', 'Estimated balance change: +100 ETH '.repeat(300)),
          nest(20),
        ]),
        json: '{}',
      },
      {
        origin: `https://${'a-very-long-subdomain.'.repeat(6)}xn--hrbor-tqa.example:8443`,
        since: null,
        findings: [unfamiliar, hidden],
      },
    ),
  ),
  'approve-send': approval(send),
  'approve-send-local': approval(
    request(transaction({ value: '0x1', broadcast: false }), {
      origin: 'http://localhost:5173',
      network: longNetwork,
      account: cold,
      findings: [],
    }),
  ),
  'approve-send-token': approval(
    request(transaction({ to: usdc, data: `0xa9059cbb${'00'.repeat(64)}`, call: transferCall })),
  ),
  'approve-call': approval(
    request(transaction({ to: router, value: ether(0.5), data: `0xdeadbeef${'ab'.repeat(4000)}` })),
  ),
  'approve-contract-creation': approval(
    request(transaction({ to: null, data: `0x6080${'ab'.repeat(6212)}` }), {
      findings: [{ level: 'caution', name: 'createsContract', values: ['6214'] }],
    }),
  ),
  'approve-danger': approval(danger),
  'approve-insufficient': approval(request(transaction({ value: ether(0.5) }), { findings: [noFunds] })),
  'approve-queue': approval(send, sign, danger),
  'approve-failing': {
    ...approval(request(transaction({ value: ether(0.5) }))),
    answers: { decide: new Error('Cannot reach the Ethereum RPC. Nothing was signed or sent.') },
  },
  'approve-locked': {
    page: 'approval',
    state: { ...locked, waiting: [waits('one', 'https://app.meridian.example')] },
    answers: { unlock: new Error('That password is not right.') },
  },
  'approve-nothing': approval(),
}
