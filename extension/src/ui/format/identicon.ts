/** The identicon of an address: a mirrored grid of five by five cells, in a colour derived from the address. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'

/** `hue` in whole degrees; `cells` are the filled places of the grid as [column, row]. */
export type IdenticonCells = { hue: number; cells: readonly (readonly [column: number, row: number])[] }

const ROWS = 5
/** Columns taken from the hash; the others mirror them. */
const OWN_COLUMNS = 3
const LAST_COLUMN = 4
const FIRST_BIT = 16

/** Returns the identicon of a 0x address: keccak-256 of its 20 bytes gives the hue, then 15 bits fill three columns. */
export const identiconOf = (address: string): IdenticonCells => {
  const hash = keccak_256(hexToBytes(address.slice(2)))
  const byte = (at: number) => hash[at] ?? 0
  const isFilled = (bit: number) => ((byte(bit >> 3) >> (bit & 7)) & 1) === 1
  const cells: [number, number][] = []
  for (let column = 0; column < OWN_COLUMNS; column++) {
    for (let row = 0; row < ROWS; row++) {
      if (!isFilled(FIRST_BIT + column * ROWS + row)) continue
      cells.push([column, row])
      if (column < LAST_COLUMN - column) cells.push([LAST_COLUMN - column, row])
    }
  }
  return { hue: Math.floor((((byte(0) << 8) | byte(1)) / 65536) * 360), cells }
}
