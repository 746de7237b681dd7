/** Encodes text as a QR code (ISO/IEC 18004): byte mode, error correction M, versions 1 to 12. Pairing links take 10 or 11. */

/** Rows of modules, true for dark. */
export type Modules = readonly (readonly boolean[])[]

/** `dataBytes` counts the data of all blocks, `checkBytes` the error correction bytes of each block. */
type Version = { number: number; dataBytes: number; checkBytes: number; blocks: number }
const VERSIONS: readonly Version[] = (
  [
    [16, 10, 1],
    [28, 16, 1],
    [44, 26, 1],
    [64, 18, 2],
    [86, 24, 2],
    [108, 16, 4],
    [124, 18, 4],
    [154, 22, 4],
    [182, 22, 5],
    [216, 26, 5],
    [254, 30, 5],
    [290, 22, 8],
  ] as const
).map(([dataBytes, checkBytes, blocks], at) => ({ number: at + 1, dataBytes, checkBytes, blocks }))
const FIRST_OF_LONG_COUNT = 10
const FIRST_WITH_NUMBER = 7
const BYTE_MODE = 0b0100
const PADDING = [0xec, 0x11]
const FIELD = 0x11d
const FORMAT_POLYNOMIAL = 0x537
const FORMAT_MASK = 0x5412
const NUMBER_POLYNOMIAL = 0x1f25

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Multiplies in GF(2^8). */
const multiply = (one: number, other: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * FIELD)
    product ^= ((other >> bit) & 1) * one
  }
  return product
}

const generator = (degree: number): number[] => {
  const factors: number[] = Array.from({ length: degree }, (_, at) => (at === degree - 1 ? 1 : 0))
  let root = 1
  for (let round = 0; round < degree; round++) {
    for (let at = 0; at < degree; at++) factors[at] = multiply(factors[at] ?? 0, root) ^ (factors[at + 1] ?? 0)
    root = multiply(root, 2)
  }
  return factors
}

/** Reed-Solomon error correction bytes. */
const checkBytes = (data: readonly number[], count: number): number[] => {
  const factors = generator(count)
  let rest = Array.from({ length: count }, () => 0)
  for (const byte of data) {
    const lead = byte ^ (rest[0] ?? 0)
    rest = [...rest.slice(1), 0].map((value, at) => value ^ multiply(factors[at] ?? 0, lead))
  }
  return rest
}

const countBits = ({ number }: Version): number => (number < FIRST_OF_LONG_COUNT ? 8 : 16)

/** Bytes of text that fit after the mode and the character count. */
const roomIn = (version: Version): number => Math.floor((version.dataBytes * 8 - 4 - countBits(version)) / 8)

const dataOf = (text: Uint8Array, version: Version): number[] => {
  const bits = [
    ...toBits(BYTE_MODE, 4),
    ...toBits(text.length, countBits(version)),
    ...[...text].flatMap(byte => toBits(byte, 8)),
    ...toBits(0, 4),
  ]
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, place) => byte | (bit << (7 - place)), 0),
  ).slice(0, version.dataBytes)
  for (let at = 0; bytes.length < version.dataBytes; at++) bytes.push(PADDING[at % 2] ?? 0)
  return bytes
}

/** The first byte of each block, then the second of each, to the end of the longest. */
const interleave = (blocks: readonly (readonly number[])[]): number[] =>
  Array.from({ length: Math.max(...blocks.map(({ length }) => length)) }, (_, at) =>
    blocks.flatMap(block => block[at] ?? []),
  ).flat()

const codewords = (text: Uint8Array, version: Version): number[] => {
  const data = dataOf(text, version)
  const length = Math.floor(version.dataBytes / version.blocks)
  const longFrom = version.blocks - (version.dataBytes % version.blocks)
  const startOf = (at: number) => at * length + Math.max(0, at - longFrom)
  const blocks = Array.from({ length: version.blocks }, (_, at) => data.slice(startOf(at), startOf(at + 1)))
  return [...interleave(blocks), ...interleave(blocks.map(block => checkBytes(block, version.checkBytes)))]
}

const toBits = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1)

/** Centre coordinates of the alignment patterns, the same for x and y. */
const centresOf = (size: number, version: number): number[] => {
  if (version === 1) return []
  return version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7]
}

/** Draws the function patterns. Modules that are still free are null. */
const drawPatterns = (size: number, version: number): (boolean | null)[][] => {
  const grid: (boolean | null)[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => null))
  const set = (x: number, y: number, dark: boolean) => {
    const row = grid[y]
    if (row && x >= 0 && x < size) row[x] = dark
  }
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  const square = (centreX: number, centreY: number, reach: number, isLight: (ring: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++)
        set(centreX + dx, centreY + dy, !isLight(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, ring => ring === 2 || ring === 4)
  const centres = centresOf(size, version)
  const isFinder = (x: number, y: number) => (x === 6 && y === 6) || Math.abs(x - y) === size - 13
  for (const x of centres) for (const y of centres) if (!isFinder(x, y)) square(x, y, 2, ring => ring === 1)
  if (version < FIRST_WITH_NUMBER) return grid
  const bits = withRest(version, 12, NUMBER_POLYNOMIAL)
  for (let at = 0; at < 18; at++) {
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)]
    set(near, far, ((bits >> at) & 1) === 1)
    set(far, near, ((bits >> at) & 1) === 1)
  }
  return grid
}

/** Appends `count` BCH error correction bits. */
const withRest = (bits: number, count: number, polynomial: number): number => {
  let rest = bits
  for (let at = 0; at < count; at++) rest = (rest << 1) ^ ((rest >> (count - 1)) * polynomial)
  return (bits << count) | rest
}

/** Format information. Level M is 00, so the five data bits equal the mask. */
const formatBits = (mask: number): number => withRest(mask, 10, FORMAT_POLYNOMIAL) ^ FORMAT_MASK

const formatPlaces = (size: number): (readonly [x: number, y: number])[][] => {
  const first = [0, 1, 2, 3, 4, 5, 7, 8].map(y => [8, y] as const)
  const more = [7, 5, 4, 3, 2, 1, 0].map(x => [x, 8] as const)
  const second = Array.from({ length: 15 }, (_, at) =>
    at < 8 ? ([size - 1 - at, 8] as const) : ([8, size - 15 + at] as const),
  )
  return [[...first, ...more], second]
}

const drawFormat = (grid: (boolean | null)[][], mask: number) => {
  const size = grid.length
  const bits = formatBits(mask)
  for (const places of formatPlaces(size))
    for (const [at, [x, y]] of places.entries()) {
      const row = grid[y]
      if (row) row[x] = ((bits >> at) & 1) === 1
    }
  const row = grid[size - 8]
  if (row) row[8] = true
}

/** The free modules in placement order: two columns at a time from the right, up and down in turn. */
const freePlaces = (grid: readonly (readonly (boolean | null)[])[]): [x: number, y: number][] => {
  const size = grid.length
  const places: [number, number][] = []
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step
      for (const x of [right, right - 1]) if (grid[y]?.[x] === null) places.push([x, y])
    }
  }
  return places
}

const FINDER_LIKE = /1011101(?=0000)|(?<=0000)1011101/g

/** The penalty of a mask by the standard's four rules: the lowest is easiest to scan. */
const penalty = (modules: Modules): number => {
  const size = modules.length
  const at = (x: number, y: number) => modules[y]?.[x] === true
  const lines = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (at(x, y) ? '1' : '0')).join(''),
  )
  const columns = Array.from({ length: size }, (_, x) => lines.map(line => line[x]).join(''))
  let sum = 0
  for (const line of [...lines, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2
    sum += 40 * (line.match(FINDER_LIKE) ?? []).length
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++)
      if (at(x, y) === at(x - 1, y) && at(x, y) === at(x, y - 1) && at(x, y) === at(x - 1, y - 1)) sum += 3
  const dark = lines.join('').replaceAll('0', '').length / (size * size)
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}

/** Encodes a text of at most 287 bytes in UTF-8. Throws RangeError if it is longer. */
export const qrOf = (text: string): Modules => {
  const bytes = new TextEncoder().encode(text)
  const version = VERSIONS.find(candidate => bytes.length <= roomIn(candidate))
  if (!version) throw new RangeError(`A QR code of this kind holds fewer than ${bytes.length} bytes`)
  const size = 17 + 4 * version.number
  const bits = codewords(bytes, version).flatMap(byte => toBits(byte, 8))
  const patterns = drawPatterns(size, version.number)
  drawFormat(patterns, 0)
  const places = freePlaces(patterns)
  const masked = MASKS.map((isInverted, mask) => {
    const grid = patterns.map(row => row.map(module => module === true))
    drawFormat(grid, mask)
    for (const [at, [x, y]] of places.entries()) {
      const row = grid[y]
      if (row) row[x] = (bits[at] === 1) !== isInverted(x, y)
    }
    return grid
  })
  const [best] = masked.toSorted((one, other) => penalty(one) - penalty(other))
  return best ?? []
}
