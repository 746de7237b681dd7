import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ActivityEntry, MoveView, NetworkView } from '../../messages.ts'
import { activityCsv, COLUMNS, toCsv } from './activity-csv.ts'

/** Parses CSV by the grammar of RFC 4180, independently of the writer, with any separator and line break. */
const parseWith = (csv: string, separator: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < csv.length) {
    let cell = ''
    if (csv[at] === '"') {
      for (at++; at < csv.length; at++) {
        if (csv[at] === '"' && csv[at + 1] === '"') at++
        else if (csv[at] === '"') break
        cell += csv[at]
      }
      at++
    }
    // Text after a closing quote belongs to the cell, as spreadsheets read it.
    while (at < csv.length && csv[at] !== separator && csv[at] !== '\r' && csv[at] !== '\n') cell += csv[at++]
    row.push(cell)
    if (csv[at] === separator) at++
    else {
      at += csv.startsWith('\r\n', at) ? 2 : 1
      rows.push(row)
      row = []
    }
  }
  return rows
}
const parse = (csv: string) => parseWith(csv, ',')

const DANGEROUS = ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20']
const character = fc.oneof(
  fc.constantFrom(...DANGEROUS, '"', ',', "'", '\r\n', ' ', ';', '|', ':'),
  fc.string({ maxLength: 3, unit: 'binary' }),
)
const cell = fc.array(character, { maxLength: 6 }).map(parts => parts.join(''))

/** Matches the start of a formula, after anything that a program may drop before it. */
const FORMULA = /^[\s"\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u

test.each([',', ';', '\t', '|', ':'])('divided at %j, no cell is a formula', separator => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), rows => {
      const parsed = parseWith(toCsv(rows), separator)
      expect(parsed.flat().filter(value => FORMULA.test(value))).toEqual([])
      // Splits at every separator, as a program that ignores quotes would.
      const crude = toCsv(rows)
        .split(/[\r\n]/)
        .flatMap(line => line.split(separator))
      expect(crude.filter(value => FORMULA.test(value))).toEqual([])
    }),
  )
})

test('a parser reads back all cells, harmless ones unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), rows => {
      const parsed = parse(toCsv(rows))
      const bare = (all: readonly (readonly string[])[]) => all.map(row => row.map(value => value.replaceAll("'", '')))
      expect(bare(parsed)).toEqual(bare(rows))
      const isPlain = (value: string) => !/[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value)
      for (const [at, row] of rows.entries())
        for (const [column, value] of row.entries()) if (isPlain(value)) expect(parsed[at]?.[column]).toBe(value)
    }),
  )
})

test.each([
  ['=1+1', "'=1+1"],
  [';"=A1+1;', ';"\'=A1+1;'],
  [' =1', " '=1"],
  ['"=1', '"\'=1'],
  ['\u200b@SUM(1)', "\u200b'@SUM(1)"],
  ['a;\t -1', "a;\t '-1"],
  ['a\r\n+1', "a\r\n'+1"],
  ['\uff1d1', "'\uff1d1"],
  ['\t=1', "'\t'=1"],
  ['A-B = c@d', 'A-B = c@d'],
  ['Smith; Jo', 'Smith; Jo'],
])('the symbol %j is written as %j', (symbol, wanted) => {
  expect(parse(toCsv([[symbol]]))).toEqual([[wanted]])
})

const network: NetworkView = {
  ...{ chainId: 1, title: '=HYPERLINK("x")', symbol: 'ETH', decimals: 18, testnet: false },
  ...{ rpcUrls: [], added: false },
}
const account = `0x${'a1'.repeat(20)}`
const friend = `0x${'f1'.repeat(20)}`
const coin: MoveView = {
  ...{ kind: 'erc20', token: `0x${'c1'.repeat(20)}`, id: null, symbol: 'COIN, Inc', decimals: 6, listed: false },
  ...{ amount: '1250000', counterpart: friend },
}
const incoming: ActivityEntry = {
  ...{ id: '1', chainId: 1, account, direction: 'in', hash: `0x${'12'.repeat(32)}`, time: 1_700_000_000_000 },
  ...{ block: '7', status: 'confirmed', moves: [coin], marks: [{ name: 'zeroValue' }], transaction: null },
}
const names = (address: string) => (address === friend ? { name: '@friend' } : undefined)

const rowsOf = (entries: readonly ActivityEntry[]) => {
  const [head, ...rows] = parse(activityCsv(entries, [network], names))
  expect(head).toEqual([...COLUMNS])
  return rows.map(row => Object.fromEntries(COLUMNS.map((column, at) => [column, row[at]])))
}

test('a transfer is one row with everything about it', () => {
  expect(rowsOf([incoming])).toEqual([
    {
      ...{ time: '2023-11-14T22:13:20.000Z', network: `'=HYPERLINK("x")`, chain_id: '1', account, account_name: '' },
      ...{ direction: 'in', asset: 'COIN, Inc', token: coin.token, item: '', amount: '1.25', units: '1250000' },
      ...{ fee: '', fee_asset: '', counterpart: friend, counterpart_name: "'@friend", hash: incoming.hash },
      ...{ status: 'confirmed', site: '', warnings: 'zeroValue' },
    },
  ])
})

test('a transaction has a row for each movement, and its fee once', () => {
  const transaction = {
    origin: 'https://site.example',
    fee: '0x38d7ea4c68000',
    to: friend,
  } as ActivityEntry['transaction']
  const native: MoveView = { ...coin, kind: 'native', token: null, symbol: 'ETH', decimals: 18, amount: '5' }
  const both = rowsOf([{ ...incoming, direction: 'out', marks: [], moves: [native, coin], transaction }])
  expect(both.map(({ amount, fee, site }) => [amount, fee, site])).toEqual([
    ['0.000000000000000005', '0.001', 'https://site.example'],
    ['1.25', '', 'https://site.example'],
  ])
  const [call] = rowsOf([{ ...incoming, direction: 'out', moves: [], transaction }])
  expect(call).toMatchObject({ amount: '0', asset: 'ETH', counterpart: friend, fee: '0.001' })
})

test('unknown decimals and times are empty, and units are always exact', () => {
  const [row] = rowsOf([{ ...incoming, time: null, moves: [{ ...coin, decimals: null, symbol: null }] }])
  expect(row).toMatchObject({ time: '', amount: '', units: '1250000', asset: '' })
  const [item] = rowsOf([
    { ...incoming, moves: [{ ...coin, kind: 'erc1155', id: '77', amount: '100', decimals: null }] },
  ])
  expect(item).toMatchObject({ item: '77', amount: '100' })
  const [round] = rowsOf([{ ...incoming, moves: [{ ...coin, amount: '100000000' }] }])
  expect(round).toMatchObject({ amount: '100' })
})

test('entries of a removed network are left out', () => {
  expect(rowsOf([{ ...incoming, chainId: 9 }])).toEqual([])
})
