/**
 * Reads lists: addresses with or without names, private keys, and CSV files with a header line, such as the file that
 * Rainbow exports (`handleExportAddresses` in github.com/rainbow-me/browser-extension).
 */
import { readPastedAddress } from '@heliograph/shared/pasted/address'
import { replaceInvisible } from '@heliograph/shared/pasted/plain'
import { SHORT_NAME_CHAINS } from '@heliograph/shared/pasted/short-names'
import * as v from 'valibot'
import type { ImportEntry } from '../messages.ts'
import { type Columns, cellsOf, columnsOf, linesOf, oneLine } from './csv.ts'
import { type Export, MAX_LINE, MAX_TEXT } from './export.ts'

const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-z])/i
/** Matches a network before an address, as in `eth:0x…`, and after it, as in `ethereum:0x…@1`. */
const NETWORK_BEFORE = /(?:(?:did:pkh:)?eip155:\d{1,16}|(?<![\w-])([a-z\d-]{1,32})):(?:\/\/)?(?:pay-)?$/
const NETWORK_AFTER = /^@\d{1,16}(?!\d)/
const KEY = /^(?:0x)?[0-9a-f]{64}$/i
/** Separators between keys in one line, as Rabby writes them. */
const BETWEEN_KEYS = /[\s,;|，；]+/
const AROUND_NAME = new Set(' \t\r\n,;|:="\'-')
/** Names that programs write for a missing name. */
const NO_NAME = /^(?:null|undefined|n\/a)$/i

const listed = (address: string, name: string): ImportEntry => ({
  kind: 'watchOnly',
  address,
  name: NO_NAME.test(name) ? '' : name.slice(0, MAX_TEXT),
})

/** Rainbow writes names without quotes, so a name with commas fills several cells. */
const readRow = (line: string, columns: Columns): ImportEntry | undefined => {
  const cells = cellsOf(line, columns.separator)
  const [address] = ADDRESS.exec(readPastedAddress(cells[columns.address] ?? '').address) ?? []
  if (address === undefined) return undefined
  const isSplit = columns.separator === ',' && columns.name > columns.address
  const extra = isSplit ? Math.max(0, cells.length - columns.count) : 0
  const parts = columns.name < 0 ? [] : cells.slice(columns.name, columns.name + 1 + extra)
  return listed(address, parts.filter(part => part !== '').join(', '))
}

/** Returns a name without the separators and invisible characters around it. */
const nameIn = (text: string): string => {
  const isAround = (at: number) => AROUND_NAME.has(text.charAt(at)) || replaceInvisible(text.charAt(at), '') === ''
  let [from, to] = [0, text.length]
  while (from < to && isAround(from)) from++
  while (to > from && isAround(to - 1)) to--
  return oneLine(text.slice(from, to))
}

/** Returns the text before an address, without a network prefix. */
const withoutNetwork = (text: string): string => {
  const [network = '', word] = NETWORK_BEFORE.exec(text) ?? []
  const isNetwork = word === undefined || word === 'ethereum' || Object.hasOwn(SHORT_NAME_CHAINS, word)
  return isNetwork ? text.slice(0, text.length - network.length) : text
}

/** Reads a line with an address, and a name before or after it. */
const readLine = (given: string): ImportEntry | undefined => {
  const line = ADDRESS.test(given) ? given : replaceInvisible(given, '')
  const { 0: address, index = 0 } = ADDRESS.exec(line) ?? {}
  if (address === undefined) return undefined
  const after = line.slice(index + address.length).replace(NETWORK_AFTER, '')
  return listed(address, nameIn(`${withoutNetwork(line.slice(0, index))} ${after}`))
}

const readEach = (lines: readonly string[], read: (line: string) => ImportEntry | undefined): Export => {
  const entries = lines.flatMap(line => (line.length > MAX_LINE ? [] : (read(line) ?? [])))
  return { entries, unreadable: lines.length - entries.length }
}

/** Matches a first line that tells spreadsheets the separator. */
const SEPARATOR_LINE = /^"?sep=.?"?$/i

/** Reads a list of addresses. Lines without an address are unreadable. */
export const readAddresses = (text: string): Export => {
  const lines = linesOf(text)
  const [first = '', ...rest] = SEPARATOR_LINE.test(lines[0]?.trim() ?? '') ? lines.slice(1) : lines
  const columns = ADDRESS.test(first) ? undefined : columnsOf(first.slice(0, MAX_LINE))
  return columns ? readEach(rest, line => readRow(line, columns)) : readEach([first, ...rest], readLine)
}

/** An entry of a JSON list: an address, or an object with an address. */
const Item = v.union([
  v.pipe(
    v.string(),
    v.transform(address => ({ address, name: null, label: null })),
  ),
  v.object({ address: v.string(), name: v.nullish(v.string()), label: v.nullish(v.string()) }),
])

/** Reads a JSON list of addresses. Skips null; counts other values as unreadable. */
export const readJsonList = (values: readonly unknown[]): Export => {
  const given = values.filter(value => value !== null)
  const entries = given.flatMap(value => {
    const { success, output } = v.safeParse(Item, value)
    const [address] = (success && ADDRESS.exec(readPastedAddress(output.address.slice(0, MAX_LINE)).address)) || []
    return success && address !== undefined ? [listed(address, output.name || output.label || '')] : []
  })
  return { entries, unreadable: given.length - entries.length }
}

/** Reads private keys. Anything else between the separators is unreadable. */
export const readKeys = (text: string): Export =>
  readEach(
    text.split(BETWEEN_KEYS).filter(part => part !== ''),
    part => (KEY.test(part) ? { kind: 'key', privateKey: part, name: '' } : undefined),
  )
