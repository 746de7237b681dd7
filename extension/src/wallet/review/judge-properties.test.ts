/** Properties of the judge: a change that makes a request worse, or less certain, never lowers its level. */
import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface, MaxUint256 } from 'ethers'
import fc from 'fast-check'
import { test } from 'vitest'
import type {
  Act,
  AddressFacts,
  BalanceChangeView,
  Effect,
  PaymentView,
  Right,
  SimulationView,
  TransactionEffect,
} from '../../messages.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { callsOf, catalogue, KNOWS_NOBODY, levelOf, rankOf, tokenOf, transactionOf } from './judge.fixture.ts'
import type { Known } from './known.ts'
import { reviewUnreached } from './transaction.ts'

/** Addresses that do not look alike. */
const party = (digit: string) => `0x${digit.repeat(40)}`
const CONTACT = party('a')
const PROTOCOL = party('b')
const ROUTER = party('5')
const USED = party('c')
const SAFE = party('d')
const CONTRACT = party('1')
const NOBODY = party('2')
const UNREAD = party('3')
const SINGLETON = party('4')
const TOKEN = party('e')
const UNLISTED = party('f')
const STRANGERS: readonly string[] = [CONTRACT, NOBODY, UNREAD]
const PARTIES: readonly string[] = [SECOND, CONTACT, PROTOCOL, ROUTER, USED, SAFE, TOKEN, ...STRANGERS]

/** Balance of the account: 100 wei, and 100 units of each token. */
const HELD = 100
const BALANCE = '0x64'
const TOKENS = [TOKEN, UNLISTED].map(token => tokenOf(token, { balance: String(HELD), symbol: null }))

type World = { known: Known; facts: AddressFacts }
const WORLD: World = {
  known: {
    ...KNOWS_NOBODY,
    accounts: [
      { address: ADDRESS, name: 'Trading', hasKey: true },
      { address: SECOND, name: 'Savings', hasKey: true },
    ],
    contacts: [{ address: CONTACT, name: 'Mira' }],
    contracts: catalogue(
      { address: PROTOCOL },
      { address: ROUTER, role: 'router' },
      { address: SINGLETON, role: 'safe-singleton' },
    ),
    used: [{ address: USED, times: 1 }],
    assets: [{ address: TOKEN, symbol: 'ORE' }],
  },
  facts: {
    withoutCode: [NOBODY],
    withCode: [CONTRACT],
    delegated: [],
    safes: [{ address: SAFE, singleton: SINGLETON, isOwner: true, balance: BALANCE }],
  },
}

const rank = (effect: Effect, { known, facts }: World = WORLD) =>
  rankOf(levelOf({ ...effect, facts } as Effect, { known }))

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values)
const amount = fc.integer({ min: 0, max: 2 * HELD }).map(String)
const token = pick([TOKEN, UNLISTED])
const anybody = pick(PARTIES)
const payer = fc.oneof({ weight: 4, arbitrary: fc.constant(ADDRESS) }, pick([SAFE, CONTRACT]))
const asset = fc.record({ token: pick([TOKEN, UNLISTED, null]), amount, id: pick([null, '7']) })

const transfer = fc.record({
  kind: fc.constant('transfer' as const),
  token,
  from: payer,
  to: anybody,
  amount,
  id: pick([null, null, '7']),
})
const allow = fc.record({
  kind: fc.constant('allow' as const),
  token,
  spender: anybody,
  amount: fc.oneof(amount, fc.constant(null)),
  until: pick([null, '99']),
  adds: fc.boolean(),
})
const order = fc.record({
  kind: fc.constant('order' as const),
  gives: fc.array(asset, { maxLength: 2 }),
  gets: fc.array(asset, { maxLength: 2 }),
  others: fc.array(
    fc.tuple(asset, anybody).map(([given, to]) => ({ ...given, to })),
    { maxLength: 2 },
  ),
  until: fc.constant(null),
})
/** Creates call acts. Only unreadable calls name addresses. */
const calling = (contract: fc.Arbitrary<string>, named: fc.Arbitrary<string[]>) =>
  fc
    .record({ kind: fc.constant('call' as const), contract, readable: fc.boolean(), named })
    .map(one => ({ ...one, named: one.readable ? [] : one.named }))
const RIGHTS: readonly Right[] = ['owner', 'safeOwner', 'manager', 'delegate', 'code']
/** Acts that do not explain an outflow. */
const unexplaining: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('control' as const),
    right: pick(RIGHTS),
    of: anybody,
    to: fc.oneof(anybody, fc.constant(null)),
  }),
  fc.record({ kind: fc.constant('gain' as const), by: anybody, to: anybody }),
  calling(anybody, fc.array(anybody, { maxLength: 2 })),
)
const act: fc.Arbitrary<Act> = fc.oneof(
  transfer,
  allow,
  order,
  fc.record({ kind: fc.constant('allowAll' as const), token, spender: anybody, allowed: fc.boolean() }),
  unexplaining,
)
/** Acts that are not a danger by themselves, so the level can rise. */
const mild: fc.Arbitrary<Act> = fc.oneof(
  calling(pick([PROTOCOL, ROUTER, USED, TOKEN, CONTRACT]), pick([[], [NOBODY], [CONTACT]])),
  transfer.map(one => ({ ...one, amount: '9' })),
  allow.map(one => ({ ...one, amount: '9' })),
)
const acts = fc.oneof(fc.array(mild, { maxLength: 3 }), fc.array(fc.oneof(mild, act), { maxLength: 4 }))
const payment: fc.Arbitrary<PaymentView> = fc.record({ from: payer, to: anybody, value: amount })
const change: fc.Arbitrary<BalanceChangeView> = fc
  .record({
    token: pick([TOKEN, UNLISTED, null]),
    direction: pick(['out', 'out', 'in'] as const),
    amount: pick(['1', '9', '90']),
  })
  .map(moved => ({ kind: moved.token === null ? 'native' : 'erc20', id: null, symbol: null, decimals: null, ...moved }))
const simulation: fc.Arbitrary<SimulationView> = fc
  .tuple(fc.array(change, { maxLength: 2 }), pick([false, false, true]))
  .map(([changes, differs]) => ({
    by: 'simulate',
    changes,
    hidden: 0,
    failure: null,
    ...(differs && { differs: true }),
  }))

const hex = (value: number) => `0x${value.toString(16)}`
const transaction: fc.Arbitrary<TransactionEffect> = fc
  .record({
    to: anybody,
    value: fc.integer({ min: 0, max: 2 * HELD }).map(hex),
    data: pick(['0x', '0x12345678']),
    acts,
    payments: fc.array(payment, { maxLength: 2 }),
  })
  .map(fields => transactionOf({ ...fields, tokens: TOKENS, balance: BALANCE }))
const simulated: fc.Arbitrary<TransactionEffect> = fc
  .tuple(transaction, simulation)
  .map(([effect, shown]) => ({ ...effect, simulation: shown }))
const eitherWay = fc.oneof(transaction, simulated)

/** Checks that the second request of each pair has at least the level of the first. */
const rises = (pairs: fc.Arbitrary<readonly [before: Effect, after: Effect]>) =>
  fc.assert(fc.property(pairs, ([before, after]) => rank(after) >= rank(before)))

const withAct = (effect: TransactionEffect, added: Act): TransactionEffect => ({
  ...effect,
  acts: [...effect.acts, added],
})

test('another act never lowers the level', () => {
  rises(fc.tuple(transaction, act).map(([effect, added]) => [effect, withAct(effect, added)]))
})

test("another act that does not explain an outflow never lowers a simulated request's level", () => {
  rises(fc.tuple(simulated, unexplaining).map(([effect, added]) => [effect, withAct(effect, added)]))
})

test('another payment, more value or another call in the batch never lowers the level', () => {
  rises(
    fc
      .tuple(eitherWay, payment)
      .map(([effect, added]) => [effect, { ...effect, payments: [...(effect.payments ?? []), added] }]),
  )
  rises(
    fc
      .tuple(transaction, fc.integer({ min: 0, max: HELD }))
      .map(([effect, more]) => [effect, { ...effect, value: hex(Number(effect.value) + more) }]),
  )
  rises(
    fc
      .tuple(transaction, transaction)
      .map(([one, other]) => [callsOf([one], { balance: BALANCE }), callsOf([one, other], { balance: BALANCE })]),
  )
})

const raised = (digits: string, more: number) => String(BigInt(digits) + BigInt(more))
const withMore = (one: Act, more: number): Act => {
  if (one.kind === 'transfer') return { ...one, amount: raised(one.amount, more) }
  if (one.kind === 'allow') return { ...one, amount: one.amount === null ? null : raised(one.amount, more) }
  if (one.kind !== 'order') return one
  return { ...one, others: (one.others ?? []).map(other => ({ ...other, amount: raised(other.amount, more) })) }
}

test('a higher amount never lowers the level', () => {
  rises(
    fc
      .tuple(transaction, fc.integer({ min: 0, max: HELD }))
      .map(([effect, more]) => [effect, { ...effect, acts: effect.acts.map(one => withMore(one, more)) }]),
  )
})

/** An amount in several parts, each for an unidentified party. */
const split = fc.array(fc.tuple(fc.integer({ min: 0, max: HELD }), pick(STRANGERS)), { minLength: 2, maxLength: 4 })
const totalOf = (parts: readonly (readonly [number, string])[]) => parts.reduce((sum, [part]) => sum + part, 0)
const acting = (...acts: Act[]): TransactionEffect => transactionOf({ acts, tokens: TOKENS, balance: BALANCE })
const sends = (part: number, to: string): Act => ({
  kind: 'transfer',
  token: TOKEN,
  from: ADDRESS,
  to,
  amount: String(part),
  id: null,
})
const allows = (part: number, spender: string): Act => ({
  kind: 'allow',
  token: TOKEN,
  spender,
  amount: String(part),
  until: null,
  adds: false,
})

test('an amount that is split over several unidentified parties has the level of the whole', () => {
  rises(split.map(parts => [acting(sends(totalOf(parts), CONTRACT)), acting(...parts.map(part => sends(...part)))]))
  rises(
    split.map(parts => [
      transactionOf({ to: CONTRACT, value: hex(totalOf(parts)), balance: BALANCE }),
      callsOf(
        parts.map(([part, to]) => transactionOf({ to, value: hex(part) })),
        { balance: BALANCE },
      ),
    ]),
  )
})

test('an allowance that is split over several unidentified parties has the level of the whole', () => {
  rises(split.map(parts => [acting(allows(totalOf(parts), CONTRACT)), acting(...parts.map(part => allows(...part)))]))
})

test('an amount that is partly sent and partly allowed has the level of the whole', () => {
  rises(
    split.map(parts => {
      const [first, ...others] = parts
      const both = [...(first ? [sends(...first)] : []), ...others.map(part => allows(...part))]
      return [acting(sends(totalOf(parts), CONTRACT)), acting(...both)]
    }),
  )
})

const findingCode = ({ known, facts }: World, address: string): World => ({
  known,
  facts: { ...facts, withCode: [...facts.withCode, address] },
})
const findingNone = ({ known, facts }: World, address: string): World => ({
  known,
  facts: {
    ...facts,
    withCode: facts.withCode.filter(one => one !== address),
    withoutCode: [...facts.withoutCode, address],
  },
})

const SAFES = catalogue({ address: SINGLETON, role: 'safe-singleton' })

/** Changes that make a party less known. */
const unknowing: Readonly<Record<string, (world: World) => World>> = {
  'an own account is watched': ({ known, facts }) => ({
    facts,
    known: { ...known, accounts: known.accounts.map(one => ({ ...one, hasKey: one.address !== SECOND })) },
  }),
  'the contact is removed': ({ known, facts }) => ({ facts, known: { ...known, contacts: [] } }),
  'the contracts are not in the catalogue': ({ known, facts }) =>
    findingCode(findingCode({ facts, known: { ...known, contracts: SAFES } }, PROTOCOL), ROUTER),
  'the address was not used': ({ known, facts }) => ({ facts, known: { ...known, used: [] } }),
  'the Safe has other owners': ({ known, facts }) => ({
    known,
    facts: { ...facts, safes: facts.safes.map(safe => ({ ...safe, isOwner: false })) },
  }),
  'the contract has no code': world => findingNone(world, CONTRACT),
  'the address has no code': world => findingNone(world, UNREAD),
}

test.each(Object.entries(unknowing))('the level does not fall if %s', (_, change) => {
  fc.assert(fc.property(eitherWay, effect => rank(effect, change(WORLD)) >= rank(effect)))
})

test('a request without a simulation has at least the level of one whose simulation agrees', () => {
  const agreeing: SimulationView = { by: 'simulate', changes: [], hidden: 0, failure: null }
  rises(transaction.map(effect => [{ ...effect, simulation: agreeing }, effect]))
})

test('an unreadable call has at least the level of a readable one', () => {
  const unreadable = (one: Act): Act => (one.kind === 'call' ? { ...one, readable: false } : one)
  rises(eitherWay.map(effect => [effect, { ...effect, acts: effect.acts.map(unreadable) }]))
})

const abi = new Interface([
  'function approve(address spender, uint256 value)',
  'function setApprovalForAll(address operator, bool approved)',
  'function transferOwnership(address newOwner)',
  'function unknown(address to)',
  'function multicall(bytes[] data)',
  'function execute(address target, uint256 value, bytes data)',
  'function aggregate((address target, bytes callData)[] calls)',
])
const encode = (name: string, ...values: unknown[]) => abi.encodeFunctionData(name, values) as Hex
const asked = (to: string, data: Hex, value: number): Effect => ({
  ...reviewUnreached({ from: ADDRESS, to: to as Hex, data, value: hex(value) as Hex }, 'send', TOKENS).effect,
  balance: BALANCE,
})
const inner: fc.Arbitrary<Hex> = fc.oneof(
  fc.tuple(anybody, fc.oneof(fc.bigInt(0n, 200n), fc.constant(MaxUint256))).map(given => encode('approve', ...given)),
  fc.tuple(anybody, fc.boolean()).map(given => encode('setApprovalForAll', ...given)),
  anybody.map(to => encode('transferOwnership', to)),
  anybody.map(to => encode('unknown', to)),
  fc.constant('0x' as const),
)

test('a call wrapped in a call to an unidentified contract has at least its own level', () => {
  const wraps: readonly ((to: string, data: Hex, value: number) => Hex)[] = [
    (to, data, value) => encode('execute', to, value, data),
    (to, data) => encode('aggregate', [[to, data]]),
  ]
  const value = fc.integer({ min: 0, max: HELD })
  rises(
    fc
      .tuple(anybody, inner, value, pick(wraps))
      .map(([to, data, paid, wrap]) => [asked(to, data, paid), asked(CONTRACT, wrap(to, data, paid), paid)]),
  )
  // `multicall` runs calls of the called contract itself.
  rises(
    fc
      .tuple(inner, value)
      .map(([data, paid]) => [asked(CONTRACT, data, paid), asked(CONTRACT, encode('multicall', [data]), paid)]),
  )
})
