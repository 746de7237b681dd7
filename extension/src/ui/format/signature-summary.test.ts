import { expect, test } from 'vitest'
import type { Act, Effect } from '../../messages.ts'
import type { Asked } from './parties.ts'
import { signatureSummary } from './signature-summary.ts'
import { acting, asking, CONTRACT, finding, MIRA, NOBODY, PARTIES, PROTOCOL, party, plain } from './summary.fixture.ts'
import { text } from './text.ts'

type Typed = Extract<Effect, { kind: 'typedData' }>
type Message = Extract<Effect, { kind: 'message' }>
const says = (effect: Effect, more: Partial<Asked> = {}) => plain(signatureSummary(asking(effect, more)))
const field = (name: string, value: string) => ({ name, type: 'string', value })
const typed = (more: Partial<Typed> = {}): Typed => ({
  kind: 'typedData',
  domain: [field('name', 'Harbor')],
  primaryType: 'Mail',
  message: { name: 'Mail', type: 'Mail', value: [] },
  json: '{}',
  form: null,
  acts: [],
  tokens: [],
  ...more,
})
const message = (more: Partial<Message>): Message => ({
  kind: 'message',
  bytes: '0x',
  text: 'hello',
  signedAs: '',
  signIn: null,
  ...more,
})

test('data that cannot be read is named by its type and the domain, both in quotes', () => {
  expect(says(typed())).toBe(text('says_unreadable', '“Mail”', '“Harbor”'))
  expect(says(typed({ domain: [] }))).toBe(text('says_unreadable', '“Mail”', text('says_noName')))
  const nested = { name: 'name', type: 'tuple', value: [field('name', 'Harbor')] }
  expect(says(typed({ domain: [nested] }))).toContain(text('says_noName'))
})

test("the name of an identified contract replaces the domain's claimed name", () => {
  expect(says(typed({ contract: PROTOCOL }))).toBe(text('says_unreadable', '“Mail”', 'Harbor (router)'))
  expect(says(typed({ contract: CONTRACT }))).toBe(text('says_unreadable', '“Mail”', '“Harbor”'))
})

test('unreadable data of a marketplace is called orders', () => {
  const parties = [party(PROTOCOL, 'known', { name: 'Quay', what: 'exchange', role: 'marketplace' })]
  expect(says(typed({ contract: PROTOCOL }), { parties })).toBe(text('says_unreadableOrders', 'Quay'))
})

test('data that moves nothing says so', () => {
  expect(says(typed({ form: 'calm' }))).toBe(text('says_calm', '“Mail”', '“Harbor”'))
  const vote = { name: 'Vote', type: 'Vote', value: [field('space', 'harbor.eth'), field('choice', '1')] }
  expect(says(typed({ form: 'calm', primaryType: 'Vote', message: vote }))).toBe(text('says_vote', 'harbor.eth'))
})

test('a withdrawal names the amount and the recipient', () => {
  const gain = (to: string): Act => ({ kind: 'gain', by: PROTOCOL, to })
  const body = { name: 'W', type: 'W', value: [field('amount', '100')] }
  expect(says(typed({ form: 'withdrawal', acts: [gain(NOBODY)], message: body }))).toBe(
    text('says_withdraw', '100', '“Harbor”', text('party_neverUsed', '0x15d3…6A65')),
  )
  expect(says(typed({ form: 'withdrawal', acts: [gain(MIRA)], message: body }))).toBe(
    text('says_withdraw', '100', '“Harbor”', 'Mira'),
  )
})

test('data of other forms is described by its acts', () => {
  for (const form of ['permit', 'order', 'safeTransaction', 'withdrawal'] as const)
    expect(says(typed({ form }))).toBeUndefined()
  expect(says(typed({ primaryType: null }))).toBeUndefined()
})

test('names of sites and types are cut', () => {
  const long = 'x'.repeat(1_000)
  expect(says(typed({ primaryType: long, domain: [field('name', long)] }))).toBe(
    text('says_unreadable', `“${'x'.repeat(32)}…”`, `“${'x'.repeat(32)}…”`),
  )
  const vote = { name: 'Vote', type: 'Vote', value: [field('space', long)] }
  expect(says(typed({ form: 'calm', primaryType: 'Vote', message: vote }))).toBe(
    text('says_vote', `${'x'.repeat(32)}…`),
  )
  expect(says(typed({ primaryType: '$2' }))).toBe(text('says_unreadable', '“$2”', '“Harbor”'))
  expect(says(typed({ primaryType: '\u202eliaM' }))).toBe(text('says_unreadable', '“\u202eliaM”', '“Harbor”'))
})

test('bytes, hashes and texts with hidden characters are named as such', () => {
  const hash = 'ab'.repeat(32)
  expect(says(message({ text: null }))).toBe(text('says_bytes'))
  for (const hex of [hash, `0x${hash}`, ` 0x${hash.toUpperCase()}\n`])
    expect(says(message({ text: hex }))).toBe(text('says_hash'))
  expect(says(message({ text: 'a\u200bb' }), { findings: [finding('hiddenCharacters')] })).toBe(text('says_hidden'))
  for (const other of ['hello', `${hash}00`, 'ab'.repeat(31)]) expect(says(message({ text: other }))).toBeUndefined()
})

test('a sign-in has the title of its site', () => {
  const signIn = { domain: 'harbor.example' } as Message['signIn']
  expect(says(message({ signIn }))).toBeUndefined()
})

test('a transaction that cannot be paid says what it needs', () => {
  const findings = [finding('insufficientFunds', String(6n * 10n ** 18n), String(5n * 10n ** 18n), String(10n ** 18n))]
  expect(says(acting(), { findings })).toBe(text('says_tooPoor', '6', '5', 'ETH'))
  expect(says(acting())).toBeUndefined()
})

test('a network with the name of another says so', () => {
  const effect: Effect = { kind: 'connect', accounts: [], connected: [], only: null }
  expect(says(effect, { findings: [finding('namesakeNetwork', 'Ethereum')] })).toBe(
    text('says_namesakeNetwork', 'Ethereum'),
  )
  expect(says(effect, { parties: PARTIES })).toBeUndefined()
})
