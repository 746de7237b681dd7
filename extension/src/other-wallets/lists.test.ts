import { cpuTimeOf } from '@heliograph/shared/cpu-time.fixture'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COLD, MIRA, rainbowCsv, SAVINGS, SHOP } from './exports.fixture.ts'
import { readAddresses, readJsonList, readKeys } from './lists.ts'

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

test('the columns of a CSV file are found by their titles in any order', () => {
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

test('reads back every list in a supported format', () => {
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

test.each([
  ['Address;Name;Note / A;Alice;home', `Address;Name;Note\n${SHOP};Alice;home`, 'Alice'],
  ['name,address / a name in quotes with a line break', `name,address\n"Bob\nSmith",${SHOP}`, 'Bob Smith'],
  ['eth:A,Alice', `eth:${SHOP},Alice`, 'Alice'],
  ['Address,Name / A,Alice', `Address,Name\n${SHOP},Alice`, 'Alice'],
  [
    'semicolons, a line break and quotes',
    `Name;Address\r\n"Bob ""B""\r\nSmith; Sons";"${SHOP}"\r\n`,
    'Bob "B" Smith; Sons',
  ],
  ['tabs', `Address\tName\tNote\n${SHOP}\tAlice\thome`, 'Alice'],
  ['bars', `Address | Name\n${SHOP} | Alice`, 'Alice'],
  ['a line that names the separator', `sep=;\nAddress;Name\n${SHOP};Alice`, 'Alice'],
  ['separators at the end', `Address;Name;\n${SHOP};Alice;`, 'Alice'],
  ['commas at the end of the row alone', `Address,Name\n${SHOP},Alice,,`, 'Alice'],
  ['titles with spaces and in quotes', `"Wallet Address","Label"\n"${SHOP}","Alice"`, 'Alice'],
  ['an account that is a name', `Account,Address\nAlice,${SHOP}`, 'Alice'],
  ['a network before the address of a row', `Address,Name\neth:${SHOP},Alice`, 'Alice'],
  ['spaces and zero-width characters around the cells', `Address;Name\n \u200b${SHOP}\u200b ; Alice `, 'Alice'],
  ['a name with a line break without titles', `"Alice\nSmith",${SHOP}`, 'Alice Smith'],
  ['a name before a network and an address', `Alice: base:${SHOP}`, 'Alice'],
  ['a name with a colon before the address', `Alice:${SHOP}`, 'Alice'],
  ['ethereum:A@1', `ethereum:${SHOP}@1 Alice`, 'Alice'],
  ['eip155:1:A', `Alice, eip155:1:${SHOP}`, 'Alice'],
  ['null as a name', `Address,Name\n${SHOP},null`, ''],
  ['zero-width characters in the address', `${SHOP.slice(0, 9)}\u200b${SHOP.slice(9)},Alice`, 'Alice'],
])('%s: the address and the name are read', (_, text, named) => {
  expect(readAddresses(text)).toEqual({ entries: [watched(SHOP, named)], unreadable: 0 })
})

test('an unclosed quote does not affect the next lines', () => {
  const { entries, unreadable } = readAddresses(`Name,Address\n"Bob,${SHOP}\n5" shelf,${MIRA}\nCold,${COLD}`)
  expect(entries).toEqual([watched(SHOP, '"Bob'), watched(MIRA, '5" shelf'), watched(COLD, 'Cold')])
  expect(unreadable).toBe(0)
})

test('a JSON list is read without its null values', () => {
  const list = [SHOP, null, { address: MIRA, name: 'Mira' }, { address: `eth:${COLD}`, name: null, label: 'Cold' }, 7]
  expect(readJsonList([...list, { address: SAVINGS, name: null, chainId: null }, { address: null }])).toEqual({
    entries: [watched(SHOP, ''), watched(MIRA, 'Mira'), watched(COLD, 'Cold'), watched(SAVINGS, '')],
    unreadable: 2,
  })
})

test('reads back every CSV file in the formats of RFC 4180 and of spreadsheets', () => {
  const cell = fc.stringMatching(/^[A-Za-z](?:[A-Za-z ,;"\t|\n]{0,12}[A-Za-z])?$/)
  const written = (text: string, separator: string) =>
    /["\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
  fc.assert(
    fc.property(
      fc.array(fc.tuple(address, cell, cell), { minLength: 1 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n'),
      (rows, separator, end) => {
        const lines = rows.map(row => row.map(text => written(text, separator)).join(separator))
        const entries = rows.map(([of, named]) => watched(of, named.replace(/\n+/g, ' ')))
        const text = [['Address', 'Name', 'Note'].join(separator), ...lines, ''].join(end)
        expect(readAddresses(text)).toEqual({
          entries: entries.map(entry =>
            /^(?:null|undefined|n\/a)$/i.test(entry.name) ? { ...entry, name: '' } : entry,
          ),
          unreadable: 0,
        })
      },
    ),
  )
})

test('every text is read, and no line is lost', () => {
  const withoutQuotes = fc.string({ unit: 'binary', maxLength: 60 }).map(text => text.replaceAll('"', ''))
  fc.assert(
    fc.property(withoutQuotes, text => {
      const lines = text.split(/\r\n?|\n/).filter(line => line.trim() !== '')
      const { entries, unreadable } = readAddresses(text)
      expect(lines.length - entries.length - unreadable).toBeLessThanOrEqual(1)
    }),
  )
})

test.each([
  ['a very long line', `${MIRA}${' '.repeat(2_000_000)}x`],
  ['quotes that do not end', `x${',"a'.repeat(300_000)}`],
  ['pairs of quotes', `,"${'a,""'.repeat(300_000)}`],
  ['spaces after separators', `,${' '.repeat(1_000_000)},"`],
])('%s is unreadable and takes no time', (_, text) => {
  const time = cpuTimeOf(() => expect(readAddresses(text)).toEqual({ entries: [], unreadable: 1 }))
  expect(time).toBeLessThan(2_000)
})

test('rows without text do not count as unreadable', () => {
  const rows = [`Address;Name`, ';;', `${SHOP};Alice`, ' ; ', '"";""']
  expect(readAddresses(rows.join('\n'))).toEqual({
    entries: [expect.objectContaining({ name: 'Alice' })],
    unreadable: 0,
  })
  expect(readAddresses(`| Address | Name |\n|---|---|\n| ${SHOP} | Alice |`)).toMatchObject({ unreadable: 0 })
})
