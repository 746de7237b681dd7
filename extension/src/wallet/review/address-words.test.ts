import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { addressesInWords } from './call.ts'

const SELECTOR = '12345678'
const word = (digits: string) => digits.replace(/^0x/, '').toLowerCase().padStart(64, '0')
const named = (...words: string[]) => addressesInWords(`0x${SELECTOR}${words.join('')}`)

test('addresses that fill a word are found, in order and without duplicates', () => {
  expect(named(word(SECOND), word('20'), word(ADDRESS), word(SECOND))).toEqual([SECOND, ADDRESS])
  expect(addressesInWords(`0x${SELECTOR}${word(ADDRESS).toUpperCase()}`)).toEqual([ADDRESS])
})

test('numbers, texts and masks are not addresses', () => {
  expect(
    named(word('0'), word('1'), word((10n ** 24n).toString(16)), word(`${'0'.repeat(16)}${'1'.repeat(24)}`)),
  ).toEqual([])
  expect(named('f'.repeat(64), `01${word(ADDRESS).slice(2)}`, word(`${'1'.repeat(24)}${'f'.repeat(16)}`))).toEqual([])
  expect(named(`${'6c6f6e67'.repeat(8)}`)).toEqual([])
})

test('an address that is not aligned to a word is not found', () => {
  expect(named(word('0').slice(2), word(ADDRESS))).toEqual([])
})

test('data without a full word has no addresses', () => {
  for (const data of ['0x', '0x12', '0x12345678', `0x12345678${word(ADDRESS).slice(2)}`] as const)
    expect(addressesInWords(data)).toEqual([])
})

test('at most 64 addresses are returned', () => {
  const words = Array.from({ length: 100 }, (_, at) => word(`a${String(at).padStart(39, '0')}`))
  expect(named(...words)).toHaveLength(64)
})
