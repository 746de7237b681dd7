import { expect, test } from 'vitest'
import type { Effect, TokenAct, TokenView, TransactionEffect } from '../../messages.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { KNOWS_NOBODY, tokenOf, transactionOf, typedOf } from './judge.fixture.ts'
import { type Known, reviewKnown } from './known.ts'

const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const LIKE_MIRA = '0x1f3700000000000000000000000000000000B1b6'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const KNOWN: Known = {
  ...KNOWS_NOBODY,
  accounts: [
    { address: ADDRESS, name: 'Trading', hasKey: true },
    { address: SECOND, name: 'Savings', hasKey: true },
  ],
  sites: [{ origin: 'https://meridian.example', since: 100 }],
  used: [{ address: MIRA, times: 3 }],
  currencies: ['ETH', 'KAIA'],
}

/** Creates a payment, by default to an address that was used before. */
const transaction = (more: Partial<TransactionEffect> = {}): TransactionEffect =>
  transactionOf({ to: MIRA, value: '0x1', ...more })
const connect: Effect = { kind: 'connect', accounts: [], connected: [], only: null }

const found = (effect: Effect, known: Known = KNOWN, origin = 'http://site.example', since: number | null = null) =>
  reviewKnown({ origin, since, effect, account: ADDRESS }, known).findings.map(({ level, name, values }) =>
    [level, name, ...values].join(' '),
  )

/** Returns the findings if the wallet's own pages make the same request. */
const typed = (effect: Effect, known: Known = KNOWN) =>
  reviewKnown({ origin: null, since: null, effect, account: ADDRESS }, known).findings.map(({ level, name }) =>
    [level, name].join(' '),
  )
/** Returns the caution for a site's payment to an unknown address. `token` is empty for coins. */
const first = (to: string, token = '', amount = 1) => `caution firstRecipient ${to} ${token} ${amount}`

test('a site that imitates a known one is a danger', () => {
  expect(found(connect, KNOWN, 'https://meridian.example', 100)).toEqual([])
  expect(found(connect, KNOWN, 'https://meridlan.example')).toEqual([
    'danger imitatedSite meridlan.example meridian.example 100',
  ])
  expect(found(connect)).toEqual([])
})

test('a recipient is an own account, a previous recipient or a new one', () => {
  expect(found(transaction({ to: SECOND.toLowerCase() }))).toEqual(['none ownRecipient Savings'])
  expect(found(transaction())).toEqual(['none sentBefore 3'])
  expect(found(transaction({ to: TOKEN }))).toEqual([first(TOKEN)])
  expect(typed(transaction({ to: TOKEN }))).toEqual(['none firstRecipient'])
})

test('a contact is shown by name whether used before or not, and an address that imitates it is a danger', () => {
  const known = {
    ...KNOWN,
    contacts: [
      { address: MIRA, name: 'Mira' },
      { address: TOKEN, name: 'The shop' },
    ],
  }
  expect(found(transaction(), known)).toEqual(['none knownContact Mira', 'none sentBefore 3'])
  expect(found(transaction({ to: TOKEN.toLowerCase() }), known)).toEqual(['none knownContact The shop'])
  expect(found(transaction({ to: LIKE_MIRA }), known)).toEqual([
    `danger lookalikeAddress ${LIKE_MIRA} ${MIRA} Mira`,
    first(LIKE_MIRA),
  ])
})

test('a contact or a used address that imitates another contact or an account is a danger too', () => {
  const like = `danger lookalikeAddress ${LIKE_MIRA} ${MIRA} Mira`
  const mira = { address: MIRA, name: 'Mira' }
  const imitation = { address: LIKE_MIRA, name: 'Mir\u0430' }
  expect(found(transaction({ to: LIKE_MIRA }), { ...KNOWN, contacts: [mira, imitation] })).toEqual([
    like,
    `none knownContact ${imitation.name}`,
  ])
  const used = [{ address: LIKE_MIRA, times: 1 }]
  expect(found(transaction({ to: LIKE_MIRA }), { ...KNOWN, contacts: [mira], used })).toEqual([
    like,
    'none sentBefore 1',
  ])
  // A look-alike that was used before does not count against the contact that it imitates.
  expect(found(transaction(), { ...KNOWN, contacts: [mira], used })).toEqual(['none knownContact Mira'])
  const ownLike = `${ADDRESS.slice(0, 5)}${'0'.repeat(32)}${ADDRESS.slice(-5)}`
  const contacts = [{ address: ownLike, name: 'Trading too' }]
  expect(found(transaction({ to: ownLike }), { ...KNOWN, contacts })).toContain(
    `danger lookalikeAddress ${ownLike} ${ADDRESS} Trading`,
  )
  expect(found(transaction({ to: ADDRESS }), { ...KNOWN, contacts })).toEqual(['none ownRecipient Trading'])
})

test("without an activity record, the wallet's own pages call no recipient new or known", () => {
  const { used: _, ...known } = KNOWN
  expect(typed(transaction({ to: TOKEN }), known)).toEqual([])
  expect(found(transaction({ to: TOKEN }), known)).toEqual([first(TOKEN)])
})

test('a look-alike of a known address is a danger anywhere in the request', () => {
  const like = `danger lookalikeAddress ${LIKE_MIRA} ${MIRA} `
  expect(found(transaction({ to: LIKE_MIRA }))).toEqual([like, first(LIKE_MIRA)])
  const args = [{ name: 'list', type: 'tuple[]', value: [{ name: 'to', type: 'address', value: LIKE_MIRA }] }]
  const call = { name: 'pay', signature: 'pay((address)[])', args }
  expect(found(transaction({ to: TOKEN, value: '0x0', data: '0x12345678', call }))).toEqual([like])
  const value = [{ name: 'to', type: 'address', value: LIKE_MIRA }]
  expect(found(typedOf({ form: null, message: { name: 'Mail', type: 'Mail', value } }))).toEqual([like])
  expect(found({ kind: 'calls', calls: [transaction({ to: LIKE_MIRA })], fee: transaction().fee })).toContain(like)
  const ownLike = `${ADDRESS.slice(0, 6)}${'0'.repeat(32)}${ADDRESS.slice(-4)}`
  expect(found(transaction({ to: ownLike }))).toContain(`danger lookalikeAddress ${ownLike} ${ADDRESS} Trading`)
})

test('a lookalike recipient or spender is found in nested calls and after many other addresses', () => {
  const like = `danger lookalikeAddress ${LIKE_MIRA} ${MIRA} `
  const args = [{ name: 'data', type: 'bytes[]', value: [{ name: '', type: 'bytes', value: '0x12345678' }] }]
  const call = { name: 'multicall', signature: 'multicall(bytes[])', args }
  const move = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: LIKE_MIRA, amount: '5', id: null } as const
  const inner = { to: TOKEN, value: '0x0', data: '0xac9650d8', call } as const
  expect(found(transaction({ ...inner, acts: [move] }))).toEqual([like, first(LIKE_MIRA, TOKEN, 5)])
  const allow = { kind: 'allowAll', token: TOKEN, spender: LIKE_MIRA, allowed: true } as const
  expect(found(transaction({ ...inner, acts: [allow] }))).toEqual([
    like,
    `danger approvalForAll ${TOKEN}  ${LIKE_MIRA}`,
  ])
  const others = Array.from({ length: 100 }, (_, at) => `0x${(at + 10).toString(16).padStart(40, '0')}`)
  const many = { ...call, args: others.map(value => ({ name: 'to', type: 'address', value })) }
  expect(found(transaction({ ...inner, call: many, acts: [move] }))).toContain(like)
})

test('the recipient of a token transfer is reviewed, not the token contract', () => {
  const acts = [{ kind: 'transfer', token: TOKEN, from: ADDRESS, to: MIRA, amount: '5', id: null }] as const
  expect(found(transaction({ to: TOKEN, value: '0x0', data: '0xa9059cbb', acts }))).toEqual(['none sentBefore 3'])
})

const allow = (more: Partial<TokenAct & { kind: 'allow' }>, token: Partial<TokenView> = {}) => {
  const act = {
    kind: 'allow',
    token: TOKEN,
    spender: STRANGER,
    amount: '5',
    until: null,
    adds: false,
    ...more,
  } as const
  const tokens = [tokenOf(TOKEN, { symbol: 'ORE', ...token })]
  return found(transaction({ to: TOKEN, value: '0x0', data: '0x095ea7b3', acts: [act], tokens }))
}

test('an allowance is judged by its amount and its spender', () => {
  expect(allow({})).toEqual([`caution unknownSpender ${TOKEN} 5 ${STRANGER}`])
  expect(allow({ spender: SECOND })).toEqual([])
  expect(allow({ spender: MIRA })).toEqual([])
  expect(allow({ amount: '0' })).toEqual([])
  expect(allow({ amount: null })).toEqual([`danger unlimitedAllowance ${TOKEN}  ${STRANGER}`])
  expect(allow({ amount: null, spender: MIRA })).toEqual([`caution unlimitedAllowance ${TOKEN}  ${MIRA}`])
})

test('an allowance of 0 is for an item if the token is a collection, or may be one', () => {
  expect(allow({ amount: '0' }, { collection: true })).toEqual([`danger itemAllowance ${TOKEN} 0 ${STRANGER}`])
  for (const decimals of [null, 0]) expect(allow({ amount: '0' }, { decimals })).not.toEqual([])
})

test('a listed token is reported once', () => {
  const token = { address: TOKEN, symbol: 'USDC', decimals: 6, balance: null, listed: true }
  const call = transaction({ to: TOKEN, value: '0x0', data: '0x12345678', tokens: [token] })
  expect(found({ kind: 'calls', calls: [call, call], fee: call.fee })).toEqual(['none listedToken USDC'])
})

test('a token whose symbol imitates another with other letters is a danger, unless it is listed', () => {
  const token = (symbol: string) => ({ address: TOKEN, symbol, decimals: 6, balance: null, listed: false })
  const act = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: MIRA, amount: '1', id: null } as const
  const names = (symbol: string, known: Partial<Known> = {}) =>
    found(transaction({ to: TOKEN, acts: [act], tokens: [token(symbol)] }), { ...KNOWN, ...known }).filter(name =>
      name.includes('imitatedAsset'),
    )
  expect(names('USD\u0421')).toEqual(['danger imitatedAsset USD\u0421 USDC'])
  expect(names('\u0395\u03a4\u0397')).toEqual(['danger imitatedAsset \u0395\u03a4\u0397 ETH'])
  expect(names('USDC')).toEqual([])
  expect(names('HARB0R', { assets: [{ address: MIRA, symbol: 'HARBOR' }] })).toEqual([
    'danger imitatedAsset HARB0R HARBOR',
  ])
  expect(names('USD\u0421', { assets: [{ address: TOKEN, symbol: 'USD\u0421' }] })).toEqual([])
})

test('a token with exactly the symbol of a listed one at another address is a danger', () => {
  const token = { address: TOKEN, symbol: 'usdc', decimals: 6, balance: null, listed: false }
  const names = (assets: Known['assets']) =>
    found(transaction({ to: TOKEN, tokens: [token] }), { ...KNOWN, assets }).filter(name => name.includes('Asset'))
  expect(names([{ address: MIRA, symbol: 'USDC' }])).toEqual(['danger namesakeAsset usdc'])
  expect(names([{ address: TOKEN, symbol: 'USDC' }])).toEqual([])
  expect(
    names([
      { address: MIRA, symbol: 'USDC' },
      { address: TOKEN, symbol: 'USDC' },
    ]),
  ).toEqual([])
  expect(names([])).toEqual([])
})

test('tokens in the simulation are checked for imitated symbols too', () => {
  const change = {
    kind: 'erc20',
    token: TOKEN,
    id: null,
    direction: 'in',
    amount: '1',
    symbol: 'W\u0415TH',
    decimals: 18,
  } as const
  const simulation = { by: 'simulate', changes: [change], hidden: 0, failure: null } as const
  expect(found(transaction({ simulation }))).toContain('danger imitatedAsset W\u0415TH WETH')
})

test('the records are read only a few times, however many recipients and spenders a request has', () => {
  let reads = 0
  const used = [MIRA, TOKEN].map(address => ({
    get address() {
      reads++
      return address
    },
    times: 1,
  }))
  const numbered = Array.from({ length: 500 }, (_, at) => `0x${(at + 10).toString(16).padStart(40, '0')}`)
  const moves = numbered.map(
    to => ({ kind: 'transfer', token: TOKEN, from: ADDRESS, to, amount: '5', id: null }) as const,
  )
  const allows = numbered.map(
    spender => ({ kind: 'allow', token: TOKEN, spender, amount: '5', until: null, adds: false }) as const,
  )
  expect(
    found(transaction({ to: TOKEN, value: '0x0', data: '0x12345678', acts: [...moves, ...allows] }), {
      ...KNOWN,
      used,
    }),
  ).toEqual([
    first(numbered[0] ?? '', TOKEN, 5),
    `caution unknownSpender ${TOKEN} 5 ${numbered[0]}`,
    'danger tooManyAllowances',
  ])
  expect(reads).toBeLessThan(20)
})
