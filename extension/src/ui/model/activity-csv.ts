/** Exports the activity list as comma-separated values: https://www.rfc-editor.org/rfc/rfc4180 */
import type { ActivityEntry, MoveView, NetworkView } from '../../messages.ts'
import { toDecimal } from '../format/numbers.ts'

/** The user's name for an address, if any. */
type Names = (address: string) => { name: string } | undefined

/** Column names are the same in every language, so that other programs can rely on them. */
export const COLUMNS = [
  ...[
    'time',
    'network',
    'chain_id',
    'account',
    'account_name',
    'direction',
    'asset',
    'token',
    'item',
    'amount',
    'units',
  ],
  ...['fee', 'fee_asset', 'counterpart', 'counterpart_name', 'hash', 'status', 'site', 'warnings'],
] as const

/**
 * Matches where a formula could start. Spreadsheets run a cell as a formula if it starts with one of =, +, - and @,
 * also in their full-width forms and after quotes, spaces and control characters. Depending on language and settings,
 * they split lines at commas, semicolons, tabs, bars or colons, so a cell may start after each of these.
 */
const FORMULA = /(?<=(?:^|[,;|:\t\r\n])[\s"\p{C}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu
const NEEDS_QUOTES = /[",\r\n]/
const LINE_END = '\r\n'

/** Writes a cell so that no spreadsheet runs it as a formula: puts an apostrophe before a possible formula. */
const cellOf = (value: string): string => {
  const inert = value.replace(FORMULA, "'")
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** Joins rows of cells to a CSV text. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cellOf).join(',')}${LINE_END}`).join('')

/** Formats an amount with a decimal point and without needless zeros; empty if its decimals are unknown. */
const amountOf = ({ amount, decimals }: Pick<MoveView, 'amount' | 'decimals'>): string => {
  if (decimals === null) return ''
  const text = toDecimal(BigInt(amount), decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

const rowsOfEntry = (entry: ActivityEntry, network: NetworkView, names: Names): string[][] => {
  const { time, chainId, account, direction, hash, status, transaction, moves, marks } = entry
  const nothing: MoveView = {
    ...{ kind: 'native', token: null, id: null, symbol: network.symbol, decimals: network.decimals, listed: true },
    ...{ amount: '0', counterpart: transaction?.to ?? '' },
  }
  return (moves.length > 0 ? moves : [nothing]).map((move, at) => {
    // The fee of a transaction is in its first row only, so that a column of fees adds up.
    const fee = at === 0 && transaction?.fee ? BigInt(transaction.fee) : null
    const isItem = move.kind === 'erc721' || move.kind === 'erc1155'
    return [
      time === null ? '' : new Date(time).toISOString(),
      network.title,
      String(chainId),
      account,
      names(account)?.name ?? '',
      direction,
      move.symbol ?? '',
      move.token ?? '',
      move.id ?? '',
      isItem ? move.amount : amountOf(move),
      move.amount,
      fee === null ? '' : amountOf({ amount: String(fee), decimals: network.decimals }),
      fee === null ? '' : network.symbol,
      move.counterpart,
      names(move.counterpart)?.name ?? '',
      hash,
      status,
      transaction?.origin ?? '',
      marks.map(({ name }) => name).join(' '),
    ]
  })
}

/**
 * Returns one row for each movement, and one for a transaction that moves nothing. Entries of unknown networks are left
 * out.
 */
export const activityCsv = (
  entries: readonly ActivityEntry[],
  networks: readonly NetworkView[],
  names: Names,
): string =>
  toCsv([
    COLUMNS,
    ...entries.flatMap(entry => {
      const network = networks.find(({ chainId }) => chainId === entry.chainId)
      return network ? rowsOfEntry(entry, network, names) : []
    }),
  ])
