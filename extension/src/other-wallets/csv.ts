/** Splits text into lines and cells as spreadsheets write them (RFC 4180), also with other separators than commas. */

/** A cell in quotes, which may have line breaks, or a line break. */
const QUOTED_OR_BREAK = /(?<=^|[,;|\t\r\n]) *"[^"]*(?:""[^"]*)*"(?= *(?:[,;|\t\r\n]|$))|\r\n?|\n/g
const BREAK = /^[\r\n]/
/** A row of a sheet without text, or a rule in Markdown. */
const EMPTY = /^[\s,;|"-]*$/

/** The lines of a text that have something in them. */
export const linesOf = (text: string): string[] => {
  const lines: string[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(QUOTED_OR_BREAK)) {
    if (!BREAK.test(found)) continue
    lines.push(text.slice(from, index))
    from = index + found.length
  }
  return [...lines, text.slice(from)].filter(line => !EMPTY.test(line))
}

const SEPARATORS = [',', ';', '\t', '|'] as const
export type Separator = (typeof SEPARATORS)[number]

const CELL: Readonly<Record<Separator, RegExp>> = {
  ',': /,(?: *"((?:[^"]|"")*)" *(?=,|$)|([^,]*))/g,
  ';': /;(?: *"((?:[^"]|"")*)" *(?=;|$)|([^;]*))/g,
  '\t': /\t(?: *"((?:[^"]|"")*)" *(?=\t|$)|([^\t]*))/g,
  '|': /\|(?: *"((?:[^"]|"")*)" *(?=\||$)|([^|]*))/g,
}

/** A cell's text, with a space for each line break. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').trim()

/** Splits a line into its cells. */
export const cellsOf = (line: string, separator: Separator): string[] =>
  [...`${separator}${line}`.matchAll(CELL[separator])].map(([, quoted, plain = '']) =>
    oneLine(quoted?.replaceAll('""', '"') ?? plain),
  )

/** The places of the columns with an address and a name, in a line of titles; `name` is -1 if there is none. */
export type Columns = { separator: Separator; address: number; name: number; count: number }

/** Titles in the order of preference. */
const TITLES = {
  address: ['address', 'public address', 'wallet address', 'account address', 'eth address', 'wallet', 'account'],
  name: ['name', 'label', 'nickname', 'name tag', 'tag', 'alias', 'account name', 'wallet name', 'account', 'wallet'],
}

const placeOf = (titles: readonly string[], known: readonly string[], except: number): number => {
  const title = known.find(one => titles.some((given, at) => given === one && at !== except))
  return titles.findIndex((given, at) => given === title && at !== except)
}

/** The columns that a line of titles has, or undefined if it is none. */
export const columnsOf = (line: string): Columns | undefined => {
  for (const separator of SEPARATORS) {
    const titles = cellsOf(line, separator).map(cell => cell.toLowerCase().replace(/[\s_-]+/g, ' '))
    const address = placeOf(titles, TITLES.address, -1)
    if (address >= 0) return { separator, address, name: placeOf(titles, TITLES.name, address), count: titles.length }
  }
  return undefined
}
