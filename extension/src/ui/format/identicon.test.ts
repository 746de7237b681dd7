import { expect, test } from 'vitest'
import { identiconOf } from './identicon.ts'

/** Returns the three columns of an identicon that come from the hash, top to bottom. */
const columns = (address: string): string[] => {
  const { cells } = identiconOf(address)
  return [0, 1, 2].map(column =>
    [0, 1, 2, 3, 4].map(row => (cells.some(([x, y]) => x === column && y === row) ? '1' : '0')).join(''),
  )
}

test('USDC on mainnet has hue 173 and the expected columns', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  expect(identiconOf(usdc).hue).toBe(173)
  expect(columns(usdc)).toEqual(['10101', '01011', '01110'])
})

test("an identicon is mirrored and does not depend on the address's case", () => {
  const address = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
  const { cells } = identiconOf(address)
  for (const [column, row] of cells) expect(cells).toContainEqual([4 - column, row])
  expect(identiconOf(address.toLowerCase())).toEqual(identiconOf(address))
})
