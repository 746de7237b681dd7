import { expect, test } from 'vitest'
import { addressGroups, isAddress, shortAddress } from './address.ts'

const address = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'

test('the ten groups join to the full address', () => {
  const groups = addressGroups(address)
  expect(groups).toHaveLength(10)
  expect(groups[0]).toBe('0xe13A')
  expect(groups.at(-1)).toBe('e408')
  expect(groups.join('')).toBe(address)
})

test('the short form keeps the first six and the last four characters', () => {
  expect(shortAddress(address)).toBe('0xe13A…e408')
})

test('only 20 bytes of hex are an address', () => {
  expect(isAddress(address)).toBe(true)
  for (const other of ['', '0x', address.slice(2), `${address}0`, `${address.slice(0, -1)}g`, `0X${address.slice(2)}`])
    expect(isAddress(other), other).toBe(false)
})
