import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExpiry } from './expiry.ts'

const START = 1_800_000_000_000

test('what has expired is taken once, what has not stays', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5000, max: 20_000 }), { maxLength: 50 }), fc.nat(10), (offsets, limit) => {
      const expiry = createExpiry<number>(START)
      for (const [item, offset] of offsets.entries()) expiry.add(item, START + offset)
      for (const item of [0, 3]) expiry.remove(item, START + (offsets[item] ?? 0))
      const kept = [...offsets.keys()].filter(item => item !== 0 && item !== 3)
      const taken = new Set<number>()
      for (let now = START; now <= START + 22_000; now += 700) {
        const items = expiry.take(now, limit + 1)
        expect(items.length).toBeLessThanOrEqual(limit + 1)
        for (const item of items) {
          expect(taken).not.toContain(item)
          expect(START + (offsets[item] ?? 0)).toBeLessThanOrEqual(now)
          taken.add(item)
        }
      }
      for (let items = expiry.take(START + 30_000, 1000); items.length > 0; items = expiry.take(START + 30_000, 1000))
        for (const item of items) taken.add(item)
      expect([...taken].sort((a, b) => a - b)).toEqual(kept)
    }),
  )
})
