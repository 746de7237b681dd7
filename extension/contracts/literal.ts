/**
 * Parses object and array literals in packages' JavaScript and TypeScript files without running them. Other expressions
 * are kept as source text, except spreads, which are skipped.
 */

/** A value parsed from source text. */
export type Literal = string | readonly Literal[] | { readonly [key: string]: Literal }

/** True for objects, but not for strings or arrays. */
export const isObject = (value: Literal | undefined): value is { readonly [key: string]: Literal } =>
  typeof value === 'object' && !Array.isArray(value)

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
const QUOTES = `'"\``
const BLANK = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

type Cursor = { readonly text: string; position: number }

const peek = ({ text, position }: Cursor): string => text[position] ?? ''

const skipBlank = (cursor: Cursor): void => {
  BLANK.lastIndex = cursor.position
  BLANK.exec(cursor.text)
  cursor.position = BLANK.lastIndex
}

const skipString = (cursor: Cursor): void => {
  const quote = peek(cursor)
  cursor.position++
  while (peek(cursor) !== quote) {
    if (!peek(cursor)) throw new Error('A string is not closed')
    cursor.position += peek(cursor) === '\\' ? 2 : 1
  }
  cursor.position++
}

/** Skips an expression: moves to the next comma or closing bracket that is outside brackets and strings. */
const skipExpression = (cursor: Cursor): void => {
  while (peek(cursor) && !',}])'.includes(peek(cursor))) {
    const closing = CLOSING[peek(cursor)]
    if (closing !== undefined) {
      cursor.position++
      skipUntil(cursor, closing)
    } else if (QUOTES.includes(peek(cursor))) skipString(cursor)
    else cursor.position++
    skipBlank(cursor)
  }
}

const skipUntil = (cursor: Cursor, closing: string): void => {
  skipBlank(cursor)
  while (peek(cursor) !== closing) {
    if (!peek(cursor)) throw new Error(`${closing} is missing`)
    skipExpression(cursor)
    if (peek(cursor) === ',') cursor.position++
    skipBlank(cursor)
  }
  cursor.position++
}

const unquoted = (source: string): string =>
  QUOTES.includes(source[0] ?? ' ') && source.at(-1) === source[0] ? source.slice(1, -1) : source

/** Returns a key's last identifier, string or number: `BASE` for `[ChainId.BASE]`, `base` for `[base.id]`. */
const keyOf = (source: string): string => {
  const inner = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\[([\s\S]*)\]$/, '$1')
    .trim()
  if (QUOTES.includes(inner[0] ?? ' ')) return unquoted(inner)
  const last = inner.replace(/\.id$/, '').split('.').at(-1)?.trim() ?? inner
  return /^\d+e\d+$/.test(last) ? String(Number(last)) : last
}

/**
 * Returns a string's text, the value of the constant that an identifier names, or the single address argument of a
 * call.
 */
const resolved = (source: string, text: string): string => {
  if (/^[\w$.]*[A-Za-z_$][\w$]*$/.test(source)) {
    const name = source.split('.').at(-1)
    return (
      new RegExp(`\\b${name?.replaceAll('$', '\\$')}\\s*=\\s*['"](0x[0-9a-fA-F]{40})['"]`).exec(text)?.[1] ?? source
    )
  }
  return /^\(?[\w$., ]+\)?\(\s*['"](0x[0-9a-fA-F]{40})['"]\s*\)$/.exec(source)?.[1] ?? unquoted(source)
}

const readItems = (cursor: Cursor, closing: string, read: () => void): void => {
  cursor.position++
  skipBlank(cursor)
  while (peek(cursor) !== closing) {
    if (!peek(cursor)) throw new Error(`${closing} is missing`)
    read()
    skipBlank(cursor)
    if (peek(cursor) === ',') cursor.position++
    skipBlank(cursor)
  }
  cursor.position++
}

const readProperty = (cursor: Cursor, object: Record<string, Literal>): void => {
  const key = /(?:\[[^\]]*\]|'[^']*'|"[^"]*"|[\w$]+)(?=\s*:)/y
  key.lastIndex = cursor.position
  const [found] = key.exec(cursor.text) ?? []
  if (found === undefined) {
    skipExpression(cursor)
    return
  }
  cursor.position = key.lastIndex
  skipBlank(cursor)
  cursor.position++
  object[keyOf(found)] = readValue(cursor)
}

const readValue = (cursor: Cursor): Literal => {
  skipBlank(cursor)
  const start = cursor.position
  if (peek(cursor) === '{') {
    const object: Record<string, Literal> = {}
    readItems(cursor, '}', () => readProperty(cursor, object))
    return object
  }
  if (peek(cursor) === '[') {
    const items: Literal[] = []
    readItems(cursor, ']', () => items.push(readValue(cursor)))
    return items
  }
  skipExpression(cursor)
  return resolved(cursor.text.slice(start, cursor.position).trim(), cursor.text)
}

/**
 * Parses the first object or array literal after the markers, which must occur in this order. The last marker may end
 * with the literal's opening bracket.
 */
export const literalAfter = (text: string, ...markers: readonly string[]): Literal => {
  let position = 0
  for (const marker of markers) {
    const start = text.indexOf(marker, position)
    if (start < 0) throw new Error(`"${marker}" is not in the file`)
    position = start + marker.length
  }
  if (/[{[]$/.test(markers.at(-1) ?? '')) position--
  const offset = text.slice(position).search(/[{[]/)
  if (offset < 0) throw new Error(`No literal follows "${markers.join(' ')}"`)
  return readValue({ text, position: position + offset })
}

/** Parses the literal after each match. `pattern` needs the `g` flag, and its first group is the returned name. */
export const literalsAfter = (text: string, pattern: RegExp): readonly (readonly [name: string, value: Literal])[] =>
  [...text.matchAll(pattern)].map(match => [
    match[1] ?? '',
    literalAfter(text.slice(match.index + match[0].length), ''),
  ])

/** Parses the constants in a Solidity library: `address internal constant NAME = IType(0x…);`. */
export const solidityConstants = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/constant\s+(\w+)\s*=\s*(?:\w+\(\s*)?(0x[0-9a-fA-F]{40})\b/g)].map(([, name, address]) => [
      name,
      address,
    ]),
  )
