import { cpuTimeOf } from '@heliograph/shared/cpu-time.fixture'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COLD, MIRA, rainbowCsv, SAVINGS, SHOP } from './exports.fixture.ts'
import { readAddresses, readKeys } from './lists.ts'

const watched = (address: string, name: string) => ({ kind: 'watchOnly', address, name })
const KEYS = [`0x${'11'.repeat(32)}`, '22'.repeat(32), `0x${'33'.repeat(32)}`]

test('addresses are read with names before or after them', () => {
  const text = [
    MIRA,
    `${SHOP},Corner shop`,
    `  Savings: ${SAVINGS}`,
    '',
    `"Cold box";${COLD};`,
    'vault.eth, not an address',
    '0x1234',
  ].join('\r\n')
  expect(readAddresses(text)).toEqual({
    entries: [watched(MIRA, ''), watched(SHOP, 'Corner shop'), watched(SAVINGS, 'Savings'), watched(COLD, 'Cold box')],
    unreadable: 2,
  })
})

test('the CSV file of Rainbow is read, with names that have commas', () => {
  expect(readAddresses(rainbowCsv)).toEqual({
    entries: [watched(SAVINGS, 'Savings'), watched(COLD, 'Cold, in the box'), watched(MIRA, 'mira.example')],
    unreadable: 0,
  })
})

test('the columns of a CSV file are found by their titles, in any order', () => {
  const csv = `Name,chainId,Address\n"Shop, on the ""corner""",1,${SHOP}\n,1,${MIRA}\nNobody,1,\n`
  expect(readAddresses(csv)).toEqual({
    entries: [watched(SHOP, 'Shop, on the "corner"'), watched(MIRA, '')],
    unreadable: 1,
  })
})

test('private keys are read from lines and from one line', () => {
  const entries = KEYS.map(privateKey => ({ kind: 'key', privateKey, name: '' }))
  expect(readKeys(KEYS.join('\n'))).toEqual({ entries, unreadable: 0 })
  expect(readKeys(`${KEYS.join(', ')};\nnot-a-key`)).toEqual({ entries, unreadable: 1 })
})

test('separators around a name are dropped, and those in it are kept', () => {
  const [entry] = readAddresses(`${MIRA} - "a -- b" --`).entries
  expect(entry).toEqual(watched(MIRA, 'a -- b'))
})

const address = fc.stringMatching(/^0x[0-9a-f]{40}$/)
const name = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,20}[A-Za-z]$/)

test('every list that is written is read again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(address, name), { minLength: 1 }),
      fc.constantFrom(',', ';', '\t', ' '),
      (rows, between) => {
        const entries = rows.map(([of, named]) => watched(of, named))
        expect(readAddresses(rows.map(row => row.join(between)).join('\n'))).toEqual({ entries, unreadable: 0 })
      },
    ),
  )
})

test('every text is read, and no line is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
      const lines = text.split(/\r\n?|\n/).filter(line => line.trim() !== '')
      const { entries, unreadable } = readAddresses(text)
      expect(lines.length - entries.length - unreadable).toBeLessThanOrEqual(1)
    }),
  )
})

test('a very long line is unreadable and takes no time', () => {
  const time = cpuTimeOf(() =>
    expect(readAddresses(`${MIRA}${' '.repeat(2_000_000)}x`)).toEqual({ entries: [], unreadable: 1 }),
  )
  expect(time).toBeLessThan(2_000)
})
