/**
 * Reads lists: addresses with or without names, private keys, and CSV files with a line of titles, such as the one that
 * Rainbow exports (`handleExportAddresses` in github.com/rainbow-me/browser-extension).
 */
import type { ImportEntry } from '../messages.ts'
import { type Export, MAX_LINE, MAX_TEXT } from './export.ts'

const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-z])/i
const KEY = /^(?:0x)?[0-9a-f]{64}$/i
/** Separators of keys in one line, which are also Rabby's. */
const BETWEEN_KEYS = /[\s,;|，；]+/
const AROUND_NAME = new Set(' \t,;:="\'-')

const TITLES = { address: ['address', 'public_address', 'wallet', 'account'], name: ['name', 'label', 'nickname'] }

/** The lines of a text that have something in them. */
const linesOf = (text: string): string[] => text.split(/\r\n?|\n/).filter(line => line.trim() !== '')

/** Splits a line of a CSV file (RFC 4180). */
const cellsOf = (line: string): string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  )

/** The places of address and name in a line of titles, or undefined if it is none. */
const columnsOf = (line: string): { address: number; name: number; count: number } | undefined => {
  const titles = cellsOf(line).map(cell => cell.toLowerCase())
  const address = titles.findIndex(title => TITLES.address.includes(title))
  if (address < 0 || ADDRESS.test(line)) return undefined
  return { address, name: titles.findIndex(title => TITLES.name.includes(title)), count: titles.length }
}

const listed = (address: string, name: string): ImportEntry => ({
  kind: 'watchOnly',
  address,
  name: name.slice(0, MAX_TEXT),
})

/** Rainbow writes names without quotes, so a name with commas fills several cells. */
const readRow = (line: string, columns: NonNullable<ReturnType<typeof columnsOf>>): ImportEntry | undefined => {
  const cells = cellsOf(line)
  const address = cells[columns.address]
  if (address === undefined || !ADDRESS.test(address)) return undefined
  const extra = columns.name > columns.address ? Math.max(0, cells.length - columns.count) : 0
  const name = columns.name < 0 ? '' : cells.slice(columns.name, columns.name + 1 + extra).join(', ')
  return listed(address, name)
}

/** A name without the separators around it. */
const nameIn = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && AROUND_NAME.has(text.charAt(from))) from++
  while (to > from && AROUND_NAME.has(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** A line with an address, and a name before or after it. */
const readLine = (line: string): ImportEntry | undefined => {
  const address = ADDRESS.exec(line)?.[0]
  return address === undefined ? undefined : listed(address, nameIn(line.replace(address, ' ')))
}

const readEach = (lines: readonly string[], read: (line: string) => ImportEntry | undefined): Export => {
  const entries = lines.flatMap(line => (line.length > MAX_LINE ? [] : (read(line) ?? [])))
  return { entries, unreadable: lines.length - entries.length }
}

/** Reads a list of addresses. Lines without an address are unreadable. */
export const readAddresses = (text: string): Export => {
  const [first = '', ...rest] = linesOf(text)
  const columns = columnsOf(first.slice(0, MAX_LINE))
  return columns ? readEach(rest, line => readRow(line, columns)) : readEach([first, ...rest], readLine)
}

/** Reads private keys. Anything else between the separators is unreadable. */
export const readKeys = (text: string): Export =>
  readEach(
    text.split(BETWEEN_KEYS).filter(part => part !== ''),
    part => (KEY.test(part) ? { kind: 'key', privateKey: part, name: '' } : undefined),
  )
