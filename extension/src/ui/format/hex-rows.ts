/** Splits bytes into the rows of a hex dump. */

export type HexRow = { offset: string; bytes: string; ascii: string }

/** Bytes per row. */
export const ROW = 8
const OFFSET_DIGITS = 4
const FIRST_PRINTABLE = 0x20
const LAST_PRINTABLE = 0x7e

const toAscii = (pair: string): string => {
  const code = Number.parseInt(pair, 16)
  return code >= FIRST_PRINTABLE && code <= LAST_PRINTABLE ? String.fromCharCode(code) : '·'
}

/** Returns the rows of `count` bytes of 0x-prefixed hex, from byte `start`. */
export const hexRows = (hex: string, start: number, count: number): HexRow[] => {
  const pairs = hex.slice(2 + 2 * start, 2 + 2 * (start + count)).match(/../g) ?? []
  return Array.from({ length: Math.ceil(pairs.length / ROW) }, (_, row) => {
    const bytes = pairs.slice(row * ROW, (row + 1) * ROW)
    const offset = (start + row * ROW).toString(16).padStart(OFFSET_DIGITS, '0')
    return { offset, bytes: bytes.join(' '), ascii: bytes.map(toAscii).join('') }
  })
}
