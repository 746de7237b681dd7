import { expect, test } from 'vitest'
import { decimalSign } from './numbers.ts'
import { firstLimit, parseUnits, printUnits } from './units.ts'

test('typed amounts become units, with a point or a comma', () => {
  expect(parseUnits('250', 6)).toBe('250000000')
  expect(parseUnits(' 0.5 ', 18)).toBe('500000000000000000')
  expect(parseUnits('1,25', 2)).toBe('125')
  expect(parseUnits('.5', 1)).toBe('5')
  expect(parseUnits('7', 0)).toBe('7')
})

test('other text is not an amount', () => {
  for (const typed of ['', '.', '1.234', '-1', '1e3', '0x1', '1 000', '१'])
    expect(parseUnits(typed, 2), typed).toBeUndefined()
})

test('units are printed as a user types them', () => {
  for (const [units, decimals, typed] of [
    ['250000000', 6, '250'],
    ['500000', 6, '0.5'],
    ['7', 0, '7'],
    ['0', 18, '0'],
  ] as const) {
    expect(printUnits(units, decimals)).toBe(typed.replace('.', decimalSign()))
    expect(parseUnits(typed, decimals)).toBe(units)
  }
})

test('the initial limit is the requested amount, or the balance if that is less', () => {
  expect(firstLimit('5', '9')).toBe('5')
  expect(firstLimit('10', '9')).toBe('9')
  for (const held of [null, '0']) expect(firstLimit('5', held)).toBeUndefined()
})
