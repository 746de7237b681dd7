import { expect, test } from 'vitest'
import type { Act, AddressFacts, PartyKind, SafeView } from '../../messages.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { actsOf, callsOf, catalogue, transactionOf, typedOf } from './judge.fixture.ts'
import { type AddressRecords, createPartyOf, factsIn, isIdentified, partiesIn, partiesOfAct } from './parties.ts'

const PARTY = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const KNOWS_NOBODY: AddressRecords = { accounts: [], contacts: [], assets: [], used: [], contracts: new Map() }
const NO_FACTS: AddressFacts = { withoutCode: [], withCode: [], delegated: [], safes: [] }

const identify = (records: Partial<AddressRecords>, facts: Partial<AddressFacts> = {}) =>
  createPartyOf({ ...KNOWS_NOBODY, ...records }, { ...NO_FACTS, ...facts })(PARTY)

const LOWER = PARTY.toLowerCase()
const own = { accounts: [{ address: LOWER, name: 'Savings', hasKey: true }] }
const watched = { accounts: [{ address: LOWER, name: 'Cold', hasKey: false }] }
const contact = { contacts: [{ address: LOWER, name: 'Mira' }] }
const known = { contracts: catalogue({ address: LOWER, protocol: 'Harbor', what: 'vault', role: 'pool' }) }
const used = { used: [{ address: LOWER, times: 3 }] }
const listed = { assets: [{ address: LOWER, symbol: 'ORE' }] }
const singletons = { contracts: catalogue({ address: SINGLETON, role: 'safe-singleton' }) }
const safe = (more: Partial<SafeView> = {}) => ({
  safes: [{ address: LOWER, singleton: SINGLETON, isOwner: true, balance: null, ...more }],
})

test('each identity has its name', () => {
  expect(identify(own)).toEqual({ address: PARTY, kind: 'own', name: 'Savings' })
  expect(identify(contact)).toEqual({ address: PARTY, kind: 'contact', name: 'Mira' })
  expect(identify(known)).toEqual({ address: PARTY, kind: 'known', name: 'Harbor', what: 'vault', role: 'pool' })
  expect(identify(used)).toEqual({ address: PARTY, kind: 'used', name: null, times: 3 })
  expect(identify(singletons, safe())).toEqual({ address: PARTY, kind: 'safe', name: null })
  expect(identify(watched)).toEqual({ address: PARTY, kind: 'watched', name: 'Cold' })
  expect(identify(listed)).toEqual({ address: PARTY, kind: 'token', name: 'ORE' })
  expect(identify({}, { withCode: [LOWER] })).toEqual({ address: PARTY, kind: 'contract', name: null })
  expect(identify({}, { withoutCode: [LOWER] })).toEqual({ address: PARTY, kind: 'noCode', name: null })
  expect(identify({}, { withCode: [LOWER], delegated: [LOWER] })).toMatchObject({ kind: 'noCode' })
  expect(identify({})).toEqual({ address: PARTY, kind: 'unread', name: null })
})

test('the first matching identity in this order is used', () => {
  const contracts = catalogue({ address: LOWER }, { address: SINGLETON, role: 'safe-singleton' })
  const order: readonly (readonly [PartyKind, Partial<AddressRecords>])[] = [
    ['own', own],
    ['contact', contact],
    ['known', { contracts }],
    ['used', used],
    ['safe', singletons],
    ['watched', watched],
    ['token', listed],
    ['noCode', {}],
  ]
  const facts = { withCode: [LOWER], withoutCode: [LOWER], ...safe() }
  for (const [at, [kind]] of order.entries()) {
    // If two identities use the same list of records, the earlier identity's list replaces the later one's.
    const records: Partial<AddressRecords> = Object.assign(
      {},
      ...order
        .slice(at)
        .map(([, one]) => one)
        .toReversed(),
    )
    expect(identify(records, facts)).toMatchObject({ kind })
  }
})

test('earlier uses are counted for any identity', () => {
  expect(identify({ ...used, ...contact })).toMatchObject({ kind: 'contact', times: 3 })
  expect(identify({ ...used, ...watched })).toMatchObject({ kind: 'used', name: 'Cold' })
  expect(identify({ used: [{ address: LOWER, times: 0 }] })).toEqual({ address: PARTY, kind: 'unread', name: null })
  const { used: _, ...withoutActivity } = KNOWS_NOBODY
  expect(createPartyOf(withoutActivity, NO_FACTS)(PARTY).kind).toBe('unread')
})

test('a Safe belongs to the account if its code is in the catalogue and the account is an owner', () => {
  const kindOf = (more: Partial<SafeView>, records: Partial<AddressRecords> = singletons) =>
    identify(records, { withCode: [LOWER], ...safe(more) }).kind
  expect(kindOf({})).toBe('safe')
  expect(kindOf({ singleton: SINGLETON.toLowerCase() })).toBe('safe')
  expect(kindOf({ isOwner: false })).toBe('contract')
  expect(kindOf({ singleton: TOKEN })).toBe('contract')
  expect(kindOf({}, {})).toBe('contract')
  expect(kindOf({}, { contracts: catalogue({ address: SINGLETON, role: 'pool' }) })).toBe('contract')
})

test('own accounts, contacts, known contracts, used parties and own Safes are identified', () => {
  const identified = new Set(['own', 'contact', 'known', 'used', 'safe'])
  const kinds: PartyKind[] = [
    'own',
    'contact',
    'known',
    'used',
    'safe',
    'watched',
    'token',
    'contract',
    'noCode',
    'unread',
  ]
  for (const kind of kinds) expect(isIdentified({ address: PARTY, kind, name: null })).toBe(identified.has(kind))
})

test('a request without a response from the node has no facts', () => {
  expect(factsIn({ kind: 'unlock' })).toEqual(NO_FACTS)
  expect(factsIn(transactionOf())).toEqual(NO_FACTS)
  const facts = { ...NO_FACTS, withCode: [PARTY] }
  expect(factsIn(transactionOf({ facts }))).toBe(facts)
})

const party = (at: number) => `0x${String(at).padStart(40, '0')}`

test("an act's parties are its addresses, except for tokens", () => {
  const [a, b, c] = [party(1), party(2), party(3)]
  const order: Act = {
    kind: 'order',
    gives: [{ token: TOKEN, amount: '1', id: null }],
    gets: [],
    others: [{ token: null, amount: '1', id: null, to: a }],
    until: null,
  }
  const cases: readonly (readonly [Act, readonly string[]])[] = [
    [{ kind: 'transfer', token: TOKEN, from: a, to: b, amount: '1', id: null }, [a, b]],
    [{ kind: 'allow', token: TOKEN, spender: a, amount: '1', until: null, adds: false }, [a]],
    [{ kind: 'allowAll', token: TOKEN, spender: a, allowed: true }, [a]],
    [order, [a]],
    [{ ...order, others: undefined } as unknown as Act, []],
    [{ kind: 'control', right: 'owner', of: a, to: b }, [a, b]],
    [{ kind: 'control', right: 'owner', of: a, to: null }, [a]],
    [{ kind: 'gain', by: a, to: b }, [a, b]],
    [{ kind: 'call', contract: a, readable: false, named: [b, c] }, [a, b, c]],
  ]
  for (const [act, parties] of cases) expect(partiesOfAct(act)).toEqual(parties)
})

test('a request lists each of its addresses once: called, paid, in acts and in the simulation', () => {
  const transaction = transactionOf({
    to: party(1),
    payments: [{ from: party(1), to: party(2), value: '1' }],
    acts: [{ kind: 'gain', by: party(1), to: PARTY }],
  })
  const simulation = {
    by: 'simulate',
    hidden: 0,
    failure: null,
    changes: [
      {
        kind: 'native',
        token: null,
        id: null,
        direction: 'out',
        amount: '1',
        symbol: null,
        decimals: null,
        parties: [PARTY.toLowerCase(), party(3)],
      },
    ],
  } as const
  expect(partiesIn({ ...transaction, simulation })).toEqual([party(1), party(2), PARTY.toLowerCase(), party(3)])
  expect(partiesIn(callsOf([transaction, transactionOf({ to: SECOND })]))).toEqual([party(1), party(2), PARTY, SECOND])
  expect(partiesIn(typedOf({ contract: TOKEN, acts: [{ kind: 'gain', by: TOKEN, to: ADDRESS }] }))).toEqual([
    TOKEN,
    ADDRESS,
  ])
  expect(partiesIn(typedOf({ contract: null }))).toEqual([])
  expect(partiesIn({ kind: 'watchAsset', address: TOKEN, symbol: 'ORE', decimals: 6 })).toEqual([])
})

test('no more than 200 parties are listed', () => {
  const acts = Array.from({ length: 300 }, (_, at): Act => ({ kind: 'gain', by: PARTY, to: party(at) }))
  expect(partiesIn(actsOf(...acts))).toHaveLength(200)
})
