import { expect, test } from 'vitest'
import { MAX_ENTRIES, MAX_FILE } from './export.ts'
import { MIRA, rainbowCsv, userData } from './exports.fixture.ts'
import { readAddressList, readFile, readKeyList } from './read-export.ts'

const KEY = `0x${'11'.repeat(32)}`
const PHRASE = 'test test test test test test test test test test test junk'
const counted = (read: ReturnType<typeof readFile>) => (typeof read === 'string' ? read : read.entries.length)

test('the form of a file is recognized', () => {
  expect(counted(readFile(JSON.stringify(userData)))).toBe(6)
  expect(counted(readFile(`\ufeff${JSON.stringify(userData, null, 2)}\n`))).toBe(6)
  expect(counted(readFile(rainbowCsv))).toBe(3)
  expect(counted(readFile(JSON.stringify([MIRA, { address: MIRA, name: null }])))).toBe(2)
  expect(readFile(`${KEY}\n`)).toEqual({ entries: [{ kind: 'key', privateKey: KEY, name: '' }], unreadable: 0 })
})

test('a backup of this wallet is recognized, also an incomplete or a large one', () => {
  const start = '{"heliograph":"backup"'
  for (const text of [`${start},"version":1}`, `\ufeff {\n "heliograph" : "backup"`, start + ' '.repeat(MAX_FILE)])
    expect(readFile(text)).toBe('backup')
  expect(readFile('{"heliograph":"vault"}')).toBe('unknownForm')
})

test('a keystore, a phrase and other files are refused with a reason', () => {
  expect(readFile(JSON.stringify({ version: 3, crypto: {} }))).toBe('keystore')
  expect(readFile(`${PHRASE}\n`)).toBe('phrase')
  expect(readAddressList(PHRASE)).toBe('phrase')
  for (const text of ['', '{', '[]', '{}', 'some words', '<html></html>']) expect(readFile(text)).toBe('unknownForm')
  expect(readKeyList(MIRA)).toBe('unknownForm')
})

test('files and lists that are too large are refused', () => {
  expect(readFile(' '.repeat(MAX_FILE + 1))).toBe('tooLarge')
  const line = (at: number) => `0x${at.toString(16).padStart(40, '0')}`
  const lines = Array.from({ length: MAX_ENTRIES }, (_, at) => line(at))
  expect(counted(readAddressList(lines.join('\n')))).toBe(MAX_ENTRIES)
  expect(readAddressList([...lines, MIRA].join('\n'))).toBe('tooMany')
})
