import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spellings } from './quantities.fixture.ts'
import { plausibleQuantityIn, quantityIn, quantityOf, statedQuantityIn, toQuantity, Unreadable } from './quantities.ts'

test('every spelling that BigInt accepts is read as BigInt reads it', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.constantFrom(...Object.values(spellings)), (value, spell) => {
      const text = spell(value)
      expect(toQuantity(text)).toBe(value)
      expect(toQuantity(text)).toBe(BigInt(text as string))
      expect(quantityIn({ gasUsed: text }, 'gasUsed')).toBe(value)
      expect(quantityOf({ result: text })).toBe(value)
    }),
  )
})

describe('values that are not numbers of up to 256 bits', () => {
  const END = 2n ** 256n
  const texts = ['', ' ', '0x', '0xg', 'lots', '1e3', '1.5', '-1', '-0x1', '+1', '0x1 0x2', '0b1', '5208n', 'null']
  const values = [true, false, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, [], ['0x1'], {}, { value: 1 }]

  test.for([...texts, String(END), `0x${END.toString(16)}`, `0x${'0'.repeat(300)}1`, ...values])('%o', value => {
    expect(() => toQuantity(value)).toThrow(Unreadable)
    expect(() => statedQuantityIn({ gasUsed: value }, 'gasUsed')).toThrow(Unreadable)
    expect(plausibleQuantityIn({ gasUsed: value }, 'gasUsed')).toBeNull()
    expect(quantityOf({ result: value })).toBeNull()
  })

  test('absent and null members are not numbers, and count as not stated', () => {
    for (const members of [{}, { gasUsed: null }, { gasUsed: undefined }]) {
      expect(() => quantityIn(members, 'gasUsed')).toThrow(Unreadable)
      expect(statedQuantityIn(members, 'gasUsed')).toBeNull()
    }
    expect(quantityOf(undefined)).toBeNull()
  })
})
