import { expect, test } from 'vitest'
import { qrOf } from './qr.ts'

const ADDRESS = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const LINK = `wc:${'0f'.repeat(32)}@2?expiryTimestamp=1700000000&relay-protocol=irn&symKey=${'1e'.repeat(32)}`

test.each([
  [ADDRESS, 29],
  [LINK, 57],
])('%s takes the smallest code with error correction M', (text, size) => {
  const modules = qrOf(text)
  expect(modules).toHaveLength(size)
  // The level is in the two bits beside the lower left corner, XORed with 10. Level M is 00, so they read 10.
  expect([modules[size - 1]?.[8], modules[size - 2]?.[8]]).toEqual([true, false])
})

test('the finder pattern begins at the corner, without a quiet zone', () => {
  const rows = qrOf(ADDRESS)
    .slice(0, 8)
    .map(row =>
      row
        .slice(0, 8)
        .map(dark => (dark ? '#' : '.'))
        .join(''),
    )
  expect(rows).toEqual(['#######.', '#.....#.', '#.###.#.', '#.###.#.', '#.###.#.', '#.....#.', '#######.', '........'])
})
