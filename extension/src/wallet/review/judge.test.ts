import { describe, expect, test } from 'vitest'
import type {
  Act,
  AddressFacts,
  BalanceChangeView,
  Effect,
  Right,
  RiskLevel,
  SimulationView,
  TokenView,
  TransactionEffect,
} from '../../messages.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import {
  actsOf,
  type Circumstances,
  callsOf,
  catalogue,
  judged,
  levelOf,
  tokenOf,
  transactionOf,
  typedOf,
} from './judge.fixture.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const OTHER_TOKEN = '0x253d832c2719B1f7078A453d5a35a1a509C2ED81'
/** The party whose identity differs between the table's rows. */
const PARTY = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
/** A contract in the catalogue, and an unknown contract. */
const ROUTER = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af'
const CONTRACT = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'

const facts = (more: Partial<AddressFacts>): AddressFacts => ({
  withoutCode: [],
  withCode: [],
  delegated: [],
  safes: [],
  ...more,
})

/** Balance of the account: 100 wei, and 100 units of the token. */
const HELD = '100'
const TOKENS: readonly TokenView[] = [tokenOf(TOKEN, { balance: HELD })]
const BALANCE = '0x64'
const hex = (amount: number) => `0x${amount.toString(16)}`

/** How a party is judged in general, and as the holder of a right over tokens. */
type Standing = 'identified' | 'unknown' | 'noCode'
type Identity = {
  standing: Standing
  asSpender?: Standing
  /** Standing of the party if it is called, or verifies a signature. */
  asCalled?: Standing
  facts?: Partial<AddressFacts>
  known?: Circumstances['known']
}

const accountNamed = (hasKey: boolean) => ({
  accounts: [
    { address: ADDRESS, name: 'Trading', hasKey: true },
    { address: PARTY, name: 'Savings', hasKey },
  ],
})
const mira = { contacts: [{ address: PARTY, name: 'Mira' }] }
const used = { used: [{ address: PARTY, times: 1 }] }
const noCode = { withoutCode: [PARTY] }

const IDENTITIES: Readonly<Record<string, Identity>> = {
  'an own account': { standing: 'identified', known: accountNamed(true) },
  'an own account that the node finds without code': {
    standing: 'identified',
    known: accountNamed(true),
    facts: noCode,
  },
  'a contact': { standing: 'identified', known: mira },
  'a contact without code': { standing: 'identified', asSpender: 'noCode', known: mira, facts: noCode },
  'a contract in the catalogue': { standing: 'identified', known: { contracts: catalogue({ address: PARTY }) } },
  'a used address': { standing: 'identified', known: used },
  'a used address without code': { standing: 'identified', asSpender: 'noCode', known: used, facts: noCode },
  'a used address with delegated code': {
    standing: 'identified',
    asSpender: 'noCode',
    known: used,
    facts: { withCode: [PARTY], delegated: [PARTY] },
  },
  'an own Safe': {
    // Not identified, because any contract can claim to be a Safe.
    standing: 'unknown',
    asCalled: 'identified',
    known: { contracts: catalogue({ address: SINGLETON, role: 'safe-singleton' }) },
    facts: { withCode: [PARTY], safes: [{ address: PARTY, singleton: SINGLETON, isOwner: true, balance: null }] },
  },
  'a watched account': { standing: 'unknown', known: accountNamed(false) },
  'a listed token': { standing: 'unknown', known: { assets: [{ address: PARTY, symbol: 'ORE' }] } },
  'another contract': { standing: 'unknown', facts: { withCode: [PARTY] } },
  'an address without a result from the node': { standing: 'unknown' },
  'an address without code': { standing: 'noCode', facts: noCode },
  'an account with delegated code': { standing: 'noCode', facts: { withCode: [PARTY], delegated: [PARTY] } },
}

const transfer = (amount: number, more: Partial<Act & { kind: 'transfer' }> = {}): Act => ({
  kind: 'transfer',
  token: TOKEN,
  from: ADDRESS,
  to: PARTY,
  amount: String(amount),
  id: null,
  ...more,
})
const allow = (amount: number | null, more: Partial<Act & { kind: 'allow' }> = {}): Act => ({
  kind: 'allow',
  token: TOKEN,
  spender: PARTY,
  amount: amount === null ? null : String(amount),
  until: null,
  adds: false,
  ...more,
})
const allowAll = (allowed: boolean): Act => ({ kind: 'allowAll', token: TOKEN, spender: PARTY, allowed })
const give = (right: Right, to: string | null = PARTY): Act => ({ kind: 'control', right, of: OTHER_TOKEN, to })
const call = (readable: boolean, contract = PARTY, ...named: string[]): Act => ({
  kind: 'call',
  contract,
  readable,
  named,
})
const item = (id: string) => ({ token: TOKEN, id, amount: '1' })
const coins = (amount: bigint | number) => ({ token: null, id: null, amount: String(amount) })
const order = (more: Partial<Act & { kind: 'order' }>): Act => ({
  kind: 'order',
  gives: [item('7')],
  gets: [coins(10n ** 18n)],
  until: null,
  ...more,
})

const holding = (effect: Effect): Effect => ({ ...effect, tokens: TOKENS, balance: BALANCE }) as Effect
const acting = (...acts: Act[]): Effect => holding(actsOf(...acts))
const paying = (amount: number, data = '0x'): Effect =>
  holding(transactionOf({ to: PARTY, value: hex(amount), data, acts: [] }))

const change = (direction: 'out' | 'in', amount: number, token: string | null = TOKEN): BalanceChangeView => ({
  kind: token === null ? 'native' : 'erc20',
  token,
  id: null,
  direction,
  amount: String(amount),
  symbol: null,
  decimals: null,
})
const showing = (changes: BalanceChangeView[] | null, more: Partial<SimulationView> = {}): SimulationView => ({
  by: 'simulate',
  changes,
  hidden: 0,
  failure: null,
  ...more,
})
const simulated = (act: Act, simulation: SimulationView): Effect => ({ ...actsOf(act), simulation })

const RIGHTS: readonly Right[] = [
  'owner',
  'admin',
  'role',
  'upgrade',
  'name',
  'safeOwner',
  'safeModule',
  'safeGuard',
  'safeHandler',
  'safeThreshold',
  'module',
  'manager',
  'credit',
  'code',
]

/**
 * Levels for an identified party, for an unidentified party (with code, or not checked), and for an address without
 * code.
 */
type Levels = readonly [RiskLevel, RiskLevel, RiskLevel]
/**
 * `asRight` marks rights over tokens. `bySite` marks effects that are judged only in sites' requests. `ofToken` marks
 * effects that are harmless if the contract is a listed token, because the function is its own.
 */
type Row = { effect: Effect; levels: Levels; asRight?: true; asCalled?: true; bySite?: true; ofToken?: true }

const HARMLESS: Levels = ['none', 'none', 'none']
const CAUTION: Levels = ['none', 'caution', 'caution']
const DANGER: Levels = ['none', 'danger', 'danger']
const ALWAYS: Levels = ['danger', 'danger', 'danger']

const ROWS: Readonly<Record<string, Row>> = {
  'a tenth of the coins': { effect: paying(10), levels: CAUTION, bySite: true },
  'just below 90 % of the coins': { effect: paying(89), levels: CAUTION, bySite: true },
  '90 % of the coins': { effect: paying(90), levels: DANGER, bySite: true },
  'a tenth of the coins for a call': { effect: paying(10, '0x12345678'), levels: CAUTION, bySite: true },
  '90 % of the coins for a call': { effect: paying(90, '0x12345678'), levels: DANGER, bySite: true },
  'coins from an unknown balance': {
    effect: transactionOf({ to: PARTY, value: hex(90) }),
    levels: CAUTION,
    bySite: true,
  },
  'a payment inside a call': {
    effect: holding(transactionOf({ payments: [{ from: ADDRESS, to: PARTY, value: '90' }] })),
    levels: DANGER,
    bySite: true,
  },
  'a tenth of the tokens': { effect: acting(transfer(10)), levels: CAUTION, bySite: true },
  '90 % of the tokens': { effect: acting(transfer(90)), levels: DANGER, bySite: true },
  'all of the tokens, by signature': {
    effect: typedOf({ form: 'transferAuthorization', acts: [transfer(100)], tokens: TOKENS, contract: TOKEN }),
    levels: DANGER,
    bySite: true,
  },
  'an item': { effect: acting(transfer(1, { id: '7' })), levels: CAUTION, bySite: true },
  'no tokens': { effect: acting(transfer(0)), levels: HARMLESS },

  'an allowance of a tenth': { effect: acting(allow(10)), levels: ['none', 'caution', 'danger'], asRight: true },
  'an allowance of 90 %': { effect: acting(allow(90)), levels: DANGER, asRight: true },
  'an allowance of 90 % by signature': {
    effect: typedOf({ acts: [allow(90, { until: '99' })], tokens: TOKENS, contract: TOKEN }),
    levels: DANGER,
    asRight: true,
  },
  'an allowance without limit': {
    effect: acting(allow(null)),
    levels: ['caution', 'danger', 'danger'],
    asRight: true,
  },
  'an allowance of an item': { effect: acting(allow(1, { id: '7' })), levels: DANGER, asRight: true },
  'a revoked allowance': { effect: acting(allow(0)), levels: HARMLESS },
  'a right over all items': { effect: acting(allowAll(true)), levels: ['caution', 'danger', 'danger'], asRight: true },
  'a revoked right over all items': { effect: acting(allowAll(false)), levels: HARMLESS },

  ...Object.fromEntries(
    RIGHTS.map(right => [
      `the right "${right}"`,
      { effect: acting(give(right)), levels: ['caution', 'danger', 'danger'] as const },
    ]),
  ),
  "the account's code": { effect: acting(give('delegate')), levels: ALWAYS },
  'proceeds of a call': { effect: acting({ kind: 'gain', by: OTHER_TOKEN, to: PARTY }), levels: DANGER },
  'proceeds of a call, for the called contract': {
    effect: acting({ kind: 'gain', by: PARTY, to: PARTY }),
    levels: HARMLESS,
  },

  'a readable call': { effect: acting(call(true)), levels: CAUTION, ofToken: true, asCalled: true },
  'an unreadable call': { effect: acting(call(false)), levels: CAUTION, asCalled: true },
  'a signature that a contract verifies': {
    effect: typedOf({ form: 'order', contract: PARTY }),
    levels: CAUTION,
    ofToken: true,
    asCalled: true,
  },
  'a signature that moves nothing': { effect: typedOf({ form: 'calm', contract: PARTY }), levels: HARMLESS },

  'an order for its price': { effect: acting(order({})), levels: HARMLESS },
  'an order for nothing': { effect: acting(order({ gets: [] })), levels: ALWAYS },
  'an order for an amount of 0': { effect: acting(order({ gets: [coins(0)] })), levels: ALWAYS },
  'an order for nothing, with a fee for others': {
    effect: acting(order({ gives: [coins(100)], gets: [], others: [{ ...coins(50), to: PARTY }] })),
    levels: ALWAYS,
  },
  'an order for dust': { effect: acting(order({ gets: [coins(10n ** 14n)] })), levels: ALWAYS },
  'an order for a bit more than dust': { effect: acting(order({ gets: [coins(10n ** 14n + 1n)] })), levels: HARMLESS },
  'an order with a fee of a tenth of the price': {
    effect: acting(order({ gets: [coins(9n * 10n ** 17n)], others: [{ ...coins(10n ** 17n), to: PARTY }] })),
    levels: HARMLESS,
  },
  'an order with a fee of a tenth of the given amount': {
    effect: acting(
      order({ gives: [coins(10n ** 18n)], gets: [item('7')], others: [{ ...coins(10n ** 17n), to: PARTY }] }),
    ),
    levels: HARMLESS,
  },
  'an order with a fee above a tenth of the given amount': {
    effect: acting(
      order({ gives: [coins(10n ** 18n)], gets: [item('7')], others: [{ ...coins(10n ** 17n + 1n), to: PARTY }] }),
    ),
    levels: CAUTION,
  },
  'an order with a fee above a tenth of the price': {
    effect: acting(order({ gets: [coins(9n * 10n ** 17n)], others: [{ ...coins(10n ** 17n + 1n), to: PARTY }] })),
    levels: CAUTION,
  },
  'an order whose price goes to others': {
    effect: acting(order({ gets: [coins(10n ** 15n)], others: [{ ...coins(10n ** 18n), to: PARTY }] })),
    levels: DANGER,
  },

  'a call after which tokens are missing': {
    effect: simulated(call(true), showing([change('out', 5)])),
    levels: DANGER,
  },
  'a call after which coins are missing': {
    effect: simulated(call(false), showing([change('out', 5, null)])),
    levels: DANGER,
  },
  'a call that behaves differently in another block': {
    effect: simulated(call(true), showing([], { differs: true })),
    levels: DANGER,
  },
  'a call after which nothing is missing': {
    effect: simulated(call(true), showing([])),
    levels: CAUTION,
    ofToken: true,
    asCalled: true,
  },
}

const levelFor = (
  { levels: [identified, unknown, withoutCode], asRight, asCalled, ofToken }: Row,
  identity: Identity,
): RiskLevel => {
  if (ofToken && identity.known?.assets) return 'none'
  const standing = (asRight && identity.asSpender) || (asCalled && identity.asCalled) || identity.standing
  return { identified, unknown, noCode: withoutCode }[standing]
}

test.each(Object.entries(ROWS))('%s', (_, row) => {
  const levels = (origin?: null) =>
    Object.entries(IDENTITIES).map(([name, { facts: ofNode = {}, known = {} }]) => {
      const effect = { ...row.effect, facts: facts(ofNode) } as Effect
      return [name, levelOf(effect, { known, ...(origin === null && { origin }) })]
    })
  const expected = Object.entries(IDENTITIES).map(([name, identity]) => [name, levelFor(row, identity)])
  expect(levels()).toEqual(expected)
  expect(levels(null)).toEqual(row.bySite ? expected.map(([name]) => [name, 'none']) : expected)
})

test('a right given to no named party is a danger', () => {
  expect(judged(acting(give('owner', null)))).toEqual(['danger givesControl'])
  expect(judged(acting(give('safeThreshold', null)))).toEqual(['danger givesControl'])
})

test('a delegatecall to a canonical call list is judged by the listed calls', () => {
  for (const [role, levels] of [
    ['safe-multisend-call-only', []],
    ['safe-multisend', []],
    ['router', ['caution delegateCall']],
  ] as const)
    expect(judged(acting(give('code')), { known: { contracts: catalogue({ address: PARTY, role }) } })).toEqual(levels)
})

test('parts of an asset are added up, within a call and across calls', () => {
  const parts = [transfer(45), transfer(45, { to: SECOND })]
  expect(judged(acting(...parts))).toEqual(['danger mostOfAsset'])
  const calls = parts.map(part => transactionOf({ to: TOKEN, data: '0x12345678', acts: [part], tokens: TOKENS }))
  expect(judged(callsOf(calls))).toEqual(['danger mostOfAsset'])
  const payment = { payments: [{ from: ADDRESS, to: PARTY, value: '45' }] }
  expect(judged(holding(transactionOf({ to: SECOND, value: hex(45), ...payment })))).toEqual(['danger mostOfAsset'])
  // The part sent to an identified recipient does not count.
  const known = { contacts: [{ address: SECOND, name: 'Mira' }] }
  expect(judged(acting(...parts), { known })).toEqual(['caution firstRecipient'])
})

test("a spender's allowances are added up", () => {
  expect(judged(acting(allow(45), allow(45)))).toEqual(['danger allowanceOfMost'])
  expect(judged(acting(allow(45), allow(44)))).toEqual(['caution unknownSpender'])
})

test("amounts that leave one's own Safe are compared with the Safe's balance", () => {
  const safe = { address: CONTRACT, singleton: SINGLETON, isOwner: true, balance: '0x64' }
  const known = { contracts: catalogue({ address: SINGLETON, role: 'safe-singleton' }) }
  const levelsOf = (value: string) =>
    judged(
      typedOf({
        form: 'safeTransaction',
        contract: CONTRACT,
        payments: [{ from: CONTRACT, to: PARTY, value }],
        facts: facts({ safes: [safe] }),
      }),
      { known },
    )
  expect(levelsOf('89')).toEqual(['caution firstRecipient'])
  expect(levelsOf('90')).toEqual(['danger mostOfAsset'])
})

test('a token sent to its own contract is lost', () => {
  expect(judged(acting(transfer(1, { to: TOKEN })), { origin: null })).toEqual(['danger sentToToken'])
})

test("a token's own function is harmless if the token is listed, or if a simulation shows no other effects", () => {
  const effect = acting(allow(0), call(true, TOKEN))
  expect(judged(effect)).toEqual(['caution unknownContract'])
  expect(judged(effect, { known: { assets: [{ address: TOKEN, symbol: 'ORE' }] } })).toEqual([])
  expect(judged({ ...effect, simulation: showing([]) } as Effect)).toEqual([])
  expect(judged({ ...effect, simulation: showing(null, { by: 'call' }) } as Effect)).toEqual([
    'caution unknownContract',
  ])
})

describe('outflows in a simulation', () => {
  const known = { contracts: catalogue({ address: ROUTER }) }
  const lossOf = (changes: BalanceChangeView[], ...acts: Act[]) =>
    judged({ ...actsOf(call(true, CONTRACT), ...acts), simulation: showing(changes) }).includes(
      'danger unexplainedLoss',
    )

  test('are explained by what the request says, up to a thousandth more', () => {
    expect(lossOf([change('out', 1_000)], transfer(1_000))).toBe(false)
    expect(lossOf([change('out', 1_001)], transfer(1_000))).toBe(false)
    expect(lossOf([change('out', 1_002)], transfer(1_000))).toBe(true)
    expect(lossOf([change('out', 1_000)], transfer(1_000, { from: PARTY }))).toBe(true)
    expect(lossOf([change('out', 1_000)], transfer(1_000, { token: OTHER_TOKEN }))).toBe(true)
    expect(lossOf([change('out', 1_000)], allow(1_000))).toBe(false)
    expect(lossOf([change('out', 1_000)], allow(null))).toBe(false)
    expect(lossOf([change('out', 1_000)], order({ gives: [{ token: TOKEN, id: null, amount: '1000' }] }))).toBe(false)
    expect(lossOf([{ ...change('out', 1), kind: 'erc721', id: '8' }], transfer(1, { id: '7' }))).toBe(true)
    expect(lossOf([{ ...change('out', 1), kind: 'erc721', id: '7' }], transfer(1, { id: '7' }))).toBe(false)
    expect(lossOf([{ ...change('out', 1), kind: 'erc721', id: '7' }], allowAll(true))).toBe(false)
  })

  test('in coins are compared with the value of all calls', () => {
    const calls = [1, 2].map(() => transactionOf({ to: CONTRACT, value: hex(5), data: '0x12', acts: [call(true)] }))
    const levelsFor = (amount: number) =>
      judged(callsOf(calls, { simulation: { ...showing([change('out', amount, null)]), tried: 2, failed: null } }))
    expect(levelsFor(10)).not.toContain('danger unexplainedLoss')
    expect(levelsFor(11)).toContain('danger unexplainedLoss')
  })

  test('to a known contract go to an unidentified address in its unread calldata', () => {
    const effect = (changes: BalanceChangeView[], ...withoutCode: string[]): Effect => ({
      ...actsOf(call(false, ROUTER, PARTY)),
      facts: facts({ withoutCode }),
      simulation: showing(changes),
    })
    const out = { ...change('out', 89), held: '0x64' }
    const most = { ...change('out', 90), held: '0x64' }
    const unread = 'caution unknownCall'
    expect(judged(effect([most], PARTY), { known })).toEqual(['danger gainElsewhere'])
    expect(judged(effect([out], PARTY), { known })).toEqual(['caution gainElsewhere'])
    expect(judged(effect([out, change('in', 10 ** 6, OTHER_TOKEN)], PARTY), { known })).toEqual([unread])
    // Only dust comes back.
    const dust = { ...change('in', 5, OTHER_TOKEN), decimals: 6 }
    expect(judged(effect([most, dust], PARTY), { known })).toEqual(['danger gainElsewhere'])
    expect(judged(effect([], PARTY), { known })).toEqual([unread])
    expect(judged(effect([most]), { known })).toEqual([unread])
    // A contract that is only named in calldata is usually a token or a pool, so it causes no finding.
    expect(judged(effect([out]), { known })).toEqual([])
    const contacts = [{ address: PARTY, name: 'Mira' }]
    expect(judged(effect([out], PARTY), { known: { ...known, contacts } })).toEqual([])
  })

  test('go to an unidentified address in unread calldata, whatever contracts are called', () => {
    const levelOfCalls = (...calls: Act[]) =>
      levelOf(
        {
          ...actsOf(transfer(5, { to: ROUTER }), ...calls),
          facts: facts({ withoutCode: [PARTY] }),
          simulation: showing([{ ...change('out', 5), held: '0x5' }]),
        },
        { known },
      )
    expect(levelOfCalls(call(false, ROUTER, PARTY))).toBe('danger')
    expect(levelOfCalls(call(false, ROUTER, PARTY), call(true, CONTRACT))).toBe('danger')
    expect(levelOfCalls(call(false, CONTRACT, PARTY))).toBe('danger')
  })
})

test('a router that gives nothing back is judged as unidentified, unless it bridges to another network', () => {
  const known = { contracts: catalogue({ address: ROUTER, role: 'router' }) }
  const effect = (changes: BalanceChangeView[], ...acts: Act[]): Effect => ({
    ...actsOf(call(true, ROUTER), ...acts),
    simulation: showing(changes),
  })
  const out = { ...change('out', 89), held: '0x64' }
  const most = { ...change('out', 90), held: '0x64' }
  expect(judged(effect([out]), { known })).toEqual(['caution gainElsewhere'])
  expect(judged(effect([most]), { known })).toEqual(['danger gainElsewhere'])
  expect(judged(effect([most], { kind: 'gain', by: ROUTER, to: ADDRESS }), { known })).toEqual(['danger gainElsewhere'])
  expect(judged(effect([most, change('in', 10 ** 6, OTHER_TOKEN)]), { known })).toEqual([])
  expect(judged(effect([out], { kind: 'gain', by: ROUTER, to: ADDRESS, chainId: 10 }), { known })).toEqual([])
})

test('a request without an account is not judged', () => {
  expect(judged(acting(transfer(100), allow(null), give('owner')), { account: null })).toEqual([])
})

test('the coins of a contract creation go to unknown code, whatever its simulation shows', () => {
  const creating = (value: number, more: Partial<TransactionEffect> = {}) =>
    judged(transactionOf({ to: null, data: '0x6001', value: hex(value), balance: '0x64', ...more }))
  expect(creating(89)).toEqual(['caution coinsToUnknown'])
  expect(creating(90)).toEqual(['danger mostOfAsset'])
  expect(creating(0, { simulation: showing([change('out', 5)]) })).toEqual(['danger unexplainedLoss'])
})

test('a multicall may forward coins, but must not get tokens or rights, because it runs any call for anyone', () => {
  const known = { contracts: catalogue({ address: CONTRACT, role: 'multicall' }) }
  const paying = transactionOf({
    to: CONTRACT,
    data: '0x12345678',
    value: hex(98),
    balance: '0x64',
    payments: [{ from: CONTRACT, to: PARTY, value: '98' }],
    acts: [call(true, CONTRACT)],
  })
  expect(judged(paying, { known })).toEqual(['danger mostOfAsset'])
  expect(judged(acting(allow(90, { spender: CONTRACT })), { known })).toEqual(['danger allowanceOfMost'])
  expect(judged(acting(transfer(90, { to: CONTRACT })), { known })).toEqual(['danger mostOfAsset'])
})

test('an exchange that gives only dust is a danger, and an unread marketplace call is a caution', () => {
  const dust = { ...change('in', 5, OTHER_TOKEN), decimals: 6 }
  const effect: Effect = {
    ...actsOf(call(true, ROUTER)),
    simulation: showing([{ ...change('out', 10 ** 6), decimals: 6 }, dust]),
  }
  const at = (role: string) => ({ known: { contracts: catalogue({ address: ROUTER, role }) } })
  expect(judged(effect, at('router'))).toContain('danger dustOrder')
  const withDust = [{ ...change('out', 10 ** 6), decimals: 6 }, { ...change('out', 1, null), decimals: 18 }, dust]
  expect(judged({ ...effect, simulation: showing(withDust) }, at('router'))).toContain('danger dustOrder')
  expect(judged(effect, at('staking'))).toEqual([])
  expect(judged(actsOf(call(false, ROUTER)), at('marketplace'))).toEqual(['caution unknownCall'])
  expect(judged(actsOf(call(false, ROUTER)), at('lending'))).toEqual([])
})
