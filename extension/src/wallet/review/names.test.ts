import { expect, test } from 'vitest'
import type { Finding } from '../../messages.ts'
import { KNOWS_NOBODY } from './judge.fixture.ts'
import type { Known } from './known.ts'
import { reviewContactName, reviewName } from './names.ts'

const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SHOP = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'

const mira = { address: MIRA, name: 'Mira', ens: { name: 'miranda.eth', chainId: 1 } }
const known: Known = {
  ...KNOWS_NOBODY,
  accounts: [{ address: SHOP, name: 'Trading', hasKey: true }],
  contacts: [mira],
}

const lines = (findings: readonly Finding[]) =>
  findings.map(({ level, name, values }) => [level, name, ...values].join(' '))
const found = (name: string, address = OTHER, chainId = 1, isOfEthereum = false) =>
  lines(reviewName({ name, isOfEthereum }, address, chainId, known))

test('an ordinary name has no findings, in any script', () => {
  for (const name of ['vitalik.eth', 'ニック.eth', 'привет.eth', '🦄.eth', 'a1.b2.eth']) expect(found(name)).toEqual([])
})

test("a contact's name that resolves to another address than when saved is a danger, on that network", () => {
  expect(found('miranda.eth')).toEqual([`danger nameMoved miranda.eth Mira ${MIRA} ${OTHER}`])
  expect(found('miranda.eth', MIRA)).toEqual([])
  expect(found('miranda.eth', OTHER, 8453)).toEqual([])
})

test.each(['mirarda.eth', 'm1randa.eth', 'rniranda.eth', 'mirandaa.eth', 'mirandä.eth'])(
  "%s imitates a contact's name, unless it resolves to the contact",
  name => {
    expect(found(name)[0]).toBe(`danger imitatedName ${name} miranda.eth`)
    expect(found(name, MIRA).filter(line => line.startsWith('danger'))).toEqual([])
  },
)

test("a name that reads like a contact's or an account's name is an imitation", () => {
  expect(found('mira.eth')).toEqual(['danger imitatedName mira.eth Mira'])
  expect(found('trading.eth')).toEqual(['danger imitatedName trading.eth Trading'])
  expect(found('trading.eth', SHOP)).toEqual([])
})

test('letters that look like plain ones, and mixed scripts, are marked', () => {
  expect(found('vitälik.eth')).toEqual(['caution lookalikeName vitälik.eth'])
  expect(found('東京tower.eth')).toEqual(['caution mixedScripts 東京tower.eth'])
})

test('an address on Ethereum that is used for another network is marked', () => {
  expect(found('vitalik.eth', OTHER, 8453, true)).toEqual(['caution nameOfEthereum vitalik.eth'])
})

test('a contact whose name now resolves to another address is a caution', () => {
  expect(lines(reviewContactName(mira, OTHER))).toEqual([`caution nameMoved miranda.eth Mira ${MIRA} ${OTHER}`])
  expect(reviewContactName(mira, MIRA.toLowerCase())).toEqual([])
  expect(reviewContactName({ address: MIRA, name: 'Mira' }, OTHER)).toEqual([])
})
