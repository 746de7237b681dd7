/** Splits text into lines and cells as spreadsheets write them (RFC 4180), also with separators other than commas. */

/** Matches a quoted cell, which may contain line breaks, or a line break. */
const QUOTED_OR_BREAK = /(?<=^|[,;|\t\r\n]) *"[^"]*(?:""[^"]*)*"(?= *(?:[,;|\t\r\n]|$))|\r\n?|\n/g
const BREAK = /^[\r\n]/
/** Matches a row without text, or a horizontal rule in Markdown. */
const EMPTY = /^[\s,;|"-]*$/

/** Returns the lines of a text that are not empty. */
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

/** Returns a cell's text, with a space for each line break. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').trim()

/** Splits a line into its cells. */
export const cellsOf = (line: string, separator: Separator): string[] =>
  [...`${separator}${line}`.matchAll(CELL[separator])].map(([, quoted, plain = '']) =>
    oneLine(quoted?.replaceAll('""', '"') ?? plain),
  )

/** Columns of addresses and names in a header line, as indexes; `name` is -1 if there is none. */
export type Columns = { separator: Separator; address: number; name: number; count: number }

/** Column titles in the order of preference. */
const TITLES = {
  address: ['address', 'public address', 'wallet address', 'account address', 'eth address', 'wallet', 'account'],
  name: ['name', 'label', 'nickname', 'name tag', 'tag', 'alias', 'account name', 'wallet name', 'account', 'wallet'],
}

const placeOf = (titles: readonly string[], known: readonly string[], except: number): number => {
  const title = known.find(one => titles.some((given, at) => given === one && at !== except))
  return titles.findIndex((given, at) => given === title && at !== except)
}

/** Returns the columns in a header line, or undefined if the line is not a header. */
export const columnsOf = (line: string): Columns | undefined => {
  for (const separator of SEPARATORS) {
    const titles = cellsOf(line, separator).map(cell => cell.toLowerCase().replace(/[\s_-]+/g, ' '))
    const address = placeOf(titles, TITLES.address, -1)
    if (address >= 0) return { separator, address, name: placeOf(titles, TITLES.name, address), count: titles.length }
  }
  return undefined
}
