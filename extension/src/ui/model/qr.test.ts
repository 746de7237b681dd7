import { expect, test } from 'vitest'
import { type Modules, qrOf } from './qr.ts'

const ADDRESS = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'

const LINK = `wc:${'0f'.repeat(32)}@2?expiryTimestamp=1700000000&relay-protocol=irn&symKey=${'1e'.repeat(32)}`

/** Decodes modules as a scanner does: format, mask, bits, bytes, error check, text. */
const read = (modules: Modules): string => {
  const size = modules.length
  const dark = (x: number, y: number) => modules[y]?.[x] === true
  const format =
    [0, 1, 2, 3, 4, 5, 7, 8].reduce((bits, y, at) => bits | (Number(dark(8, y)) << at), 0) |
    [7, 5, 4, 3, 2, 1, 0].reduce((bits, x, at) => bits | (Number(dark(x, 8)) << (8 + at)), 0)
  const [level, mask] = [(format ^ 0x5412) >> 13, ((format ^ 0x5412) >> 10) & 7]
  expect(level, 'error correction M').toBe(0)
  const inverted = [
    (i: number, j: number) => (i + j) % 2,
    (i: number) => i % 2,
    (_: number, j: number) => j % 3,
    (i: number, j: number) => (i + j) % 3,
    (i: number, j: number) => ((i >> 1) + Math.floor(j / 3)) % 2,
    (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3),
    (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2,
    (i: number, j: number) => (((i + j) % 2) + ((i * j) % 3)) % 2,
  ][mask]
  const shape = SHAPES[size] ?? { checkBytes: 0, blocks: [], squares: [] }
  const isPattern = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && y < 9) ||
    (x < 9 && y > size - 9) ||
    (x > size - 9 && y < 9) ||
    (size >= 45 && ((x < 6 && y > size - 12) || (x > size - 12 && y < 6))) ||
    shape.squares.some(([left, top]) => Math.abs(x - left) < 3 && Math.abs(y - top) < 3)
  const bits: number[] = []
  let goesUp = true
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const rows = Array.from({ length: size }, (_, y) => (goesUp ? size - 1 - y : y))
    for (const y of rows)
      for (const x of [right, right - 1])
        if (!isPattern(x, y)) bits.push(Number(dark(x, y) !== (inverted?.(y, x) === 0)))
    goesUp = !goesUp
  }
  const bytes = Array.from({ length: bits.length >> 3 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
  const blocks = deal(bytes, shape)
  for (const block of blocks) assertChecked(block, shape.checkBytes)
  const data = blocks.flatMap(block => block.slice(0, -shape.checkBytes))
  const stream = data.map(byte => byte.toString(2).padStart(8, '0')).join('')
  expect(stream.slice(0, 4), 'byte mode').toBe('0100')
  const start = size < 57 ? 12 : 20
  const length = Number.parseInt(stream.slice(4, start), 2)
  return String.fromCharCode(
    ...Array.from({ length }, (_, at) => Number.parseInt(stream.slice(start + at * 8, start + 8 + at * 8), 2)),
  )
}

/** Data bytes of each block, error correction bytes per block, and alignment pattern centres, by size. */
type Shape = { blocks: readonly number[]; checkBytes: number; squares: readonly (readonly [number, number])[] }
const SHAPES: Readonly<Record<number, Shape>> = {
  21: { blocks: [16], checkBytes: 10, squares: [] },
  25: { blocks: [28], checkBytes: 16, squares: [[18, 18]] },
  29: { blocks: [44], checkBytes: 26, squares: [[22, 22]] },
  33: { blocks: [32, 32], checkBytes: 18, squares: [[26, 26]] },
  45: {
    blocks: [31, 31, 31, 31],
    checkBytes: 18,
    squares: [
      [22, 6],
      [6, 22],
      [22, 22],
      [38, 22],
      [22, 38],
      [38, 38],
    ],
  },
  57: {
    blocks: [43, 43, 43, 43, 44],
    checkBytes: 26,
    squares: [
      [28, 6],
      [6, 28],
      [28, 28],
      [50, 28],
      [28, 50],
      [50, 50],
    ],
  },
  61: {
    blocks: [50, 51, 51, 51, 51],
    checkBytes: 30,
    squares: [
      [30, 6],
      [6, 30],
      [30, 30],
      [54, 30],
      [30, 54],
      [54, 54],
    ],
  },
  65: {
    blocks: [36, 36, 36, 36, 36, 36, 37, 37],
    checkBytes: 22,
    squares: [
      [32, 6],
      [6, 32],
      [32, 32],
      [58, 32],
      [32, 58],
      [58, 58],
    ],
  },
}

/** Deinterleaves the bytes into blocks: data first, then the error correction bytes. */
const deal = (bytes: readonly number[], { blocks, checkBytes }: Shape): number[][] => {
  const rest = [...bytes]
  const dealt: number[][] = blocks.map(() => [])
  const turn = (lengths: readonly number[]) => {
    for (let at = 0; at < Math.max(...lengths); at++)
      for (const [block, length] of lengths.entries()) if (at < length) dealt[block]?.push(rest.shift() ?? 0)
  }
  turn(blocks)
  turn(blocks.map(() => checkBytes))
  return dealt
}

/** A valid Reed-Solomon codeword has the roots 2^0, 2^1, … of the field. */
const assertChecked = (bytes: readonly number[], count: number) => {
  const powers = [1]
  for (let at = 1; at < 255; at++) {
    const next = (powers.at(-1) ?? 0) << 1
    powers.push(next > 255 ? next ^ 0x11d : next)
  }
  const times = (one: number, other: number) =>
    one === 0 || other === 0 ? 0 : (powers[(powers.indexOf(one) + powers.indexOf(other)) % 255] ?? 0)
  for (let root = 0; root < count; root++)
    expect(bytes.reduce((sum, byte) => times(sum, powers[root] ?? 0) ^ byte, 0)).toBe(0)
}

test('every version is decoded to the encoded text', () => {
  for (const [text, size] of [
    ['', 21],
    ['hello', 21],
    ['x'.repeat(14), 21],
    ['x'.repeat(15), 25],
    ['x'.repeat(26), 25],
    ['x'.repeat(27), 29],
    [ADDRESS, 29],
    ['x'.repeat(43), 33],
    ['x'.repeat(110), 45],
    [LINK, 57],
    ['x'.repeat(214), 61],
    ['x'.repeat(287), 65],
  ] as const) {
    const modules = qrOf(text)
    expect(modules).toHaveLength(size)
    expect(read(modules)).toBe(text)
  }
})

test('finder patterns, timing patterns and the dark module are in their places', () => {
  const modules = qrOf(ADDRESS)
  const row = (y: number, from: number, to: number) =>
    modules[y]
      ?.slice(from, to)
      .map(dark => (dark ? '#' : '.'))
      .join('')
  const finder = ['#######.', '#.....#.', '#.###.#.', '#.###.#.', '#.###.#.', '#.....#.', '#######.', '........']
  expect(finder.map((_, y) => row(y, 0, 8))).toEqual(finder)
  expect(row(6, 8, 21)).toBe('#.#.#.#.#.#.#')
  expect(modules[21]?.[8]).toBe(true)
})

test('a text that is too long is refused', () => {
  expect(() => qrOf('x'.repeat(288))).toThrow(RangeError)
})
