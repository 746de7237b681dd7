import { expect, test } from 'vitest'
import type { PartyView } from '../../messages.ts'
import { type Asked, partyName, partyOf, protocolName } from './parties.ts'
import { acting, asking, finding, MIRA, party, SAVINGS, transaction } from './summary.fixture.ts'
import { text } from './text.ts'

type Place = Parameters<typeof partyName>[2]
const named = (one: PartyView, place: Place = 'recipient', more: Partial<Asked> = {}) =>
  partyName(asking(acting(), { parties: [one], ...more }), MIRA.toLowerCase(), place)

test('an identified party has its name', () => {
  expect(named(party(MIRA, 'own', { name: 'Savings' }))).toBe('Savings')
  expect(named(party(MIRA, 'contact', { name: 'Mira' }))).toBe('Mira')
  expect(named(party(MIRA, 'known', { name: 'Harbor', what: 'router' }))).toBe('Harbor (router)')
  expect(named(party(MIRA, 'used'))).toBe('0x1f37…B1b6')
  expect(named(party(MIRA, 'safe'))).toBe(text('party_safe', '0x1f37…B1b6'))
})

test('another party is described with the start and the end of its address', () => {
  expect(named(party(MIRA, 'watched', { name: 'Cold' }))).toBe(text('party_watched', 'Cold', '0x1f37…B1b6'))
  expect(named(party(MIRA, 'token', { name: 'ORE' }))).toBe(text('party_token', 'ORE'))
  expect(named(party(MIRA, 'contract'))).toBe(text('party_unknown', '0x1f37…B1b6'))
})

test('the wording for an address without code depends on its place in the sentence', () => {
  const never = text('party_neverUsed', '0x1f37…B1b6')
  const noContract = text('party_noContract', '0x1f37…B1b6')
  const unknown = text('party_unknown', '0x1f37…B1b6')
  expect(named(party(MIRA, 'noCode'), 'recipient')).toBe(never)
  expect(named(party(MIRA, 'noCode'), 'contract')).toBe(noContract)
  expect(named(party(MIRA, 'noCode'), 'spender')).toBe(noContract)
  expect(named(party(MIRA, 'unread'), 'recipient')).toBe(never)
  expect(named(party(MIRA, 'unread'), 'contract')).toBe(unknown)
  expect(named(party(MIRA, 'unread'), 'spender')).toBe(unknown)
})

test('an address that the request does not describe counts as unread', () => {
  expect(partyOf(asking(acting(), { parties: [] }), MIRA)).toEqual({ address: MIRA, kind: 'unread', name: null })
  expect(partyOf({ ...asking(acting()), parties: undefined } as unknown as Asked, MIRA).kind).toBe('unread')
})

test('a look-alike is called so before anything else known about it', () => {
  const like = (name: string) => ({ findings: [finding('lookalikeAddress', MIRA, SAVINGS, name)] })
  const imitation = party(MIRA, 'contact', { name: 'Mira' })
  expect(named(imitation, 'recipient', like('Savings'))).toBe(text('party_imitation', '0x1f37…B1b6', 'Savings'))
  expect(named(imitation, 'recipient', like(''))).toBe(text('party_imitatesUsed', '0x1f37…B1b6'))
  expect(named(party(MIRA, 'contract'), 'spender', like('Savings'))).toBe(
    text('party_imitation', '0x1f37…B1b6', 'Savings'),
  )
  const other = { findings: [finding('lookalikeAddress', SAVINGS, MIRA, 'Mira')] }
  expect(named(imitation, 'recipient', other)).toBe('Mira')
})

test('names are cut', () => {
  const long = 'x'.repeat(1_000)
  const cut = `${'x'.repeat(32)}…`
  for (const kind of ['own', 'contact'] as const) expect(named(party(MIRA, kind, { name: long }))).toBe(cut)
  expect(named(party(MIRA, 'token', { name: long }))).toBe(text('party_token', cut))
  expect(named(party(MIRA, 'watched', { name: long }))).toBe(text('party_watched', cut, '0x1f37…B1b6'))
  const like = { findings: [finding('lookalikeAddress', MIRA, SAVINGS, long)] }
  expect(named(party(MIRA, 'contract'), 'recipient', like)).toBe(text('party_imitation', '0x1f37…B1b6', cut))
})

test('a known contract is named by its protocol where that is enough', () => {
  const at = (one: PartyView) => protocolName(asking(acting(), { parties: [one] }), MIRA)
  expect(at(party(MIRA, 'known', { name: 'Harbor', what: 'router' }))).toBe('Harbor')
  expect(at(party(MIRA, 'contract'))).toBe(text('party_unknown', '0x1f37…B1b6'))
})

test('a descriptor names the author who explains an unknown contract, and does not make the contract known', () => {
  const explained = { owner: 'Vaults', source: 'vaults.json', intent: null, fields: [] }
  const effect = transaction({ to: MIRA, data: '0x12345678', explained })
  const at = (one: PartyView, place: 'contract' | 'recipient' = 'contract') =>
    partyName(asking(effect, { parties: [one] }), one.address, place)
  expect(at(party(MIRA, 'contract'))).toBe(text('party_described', '0x1f37…B1b6', 'Vaults'))
  expect(at(party(MIRA, 'contract'), 'recipient')).toBe(text('party_unknown', '0x1f37…B1b6'))
  expect(at(party(SAVINGS, 'contract'))).toMatch(/^an unknown contract/)
  expect(at(party(MIRA, 'known', { name: 'Harbor', what: 'router' }))).toBe(text('party_known', 'Harbor', 'router'))
})
