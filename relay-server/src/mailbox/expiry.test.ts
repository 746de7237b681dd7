import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExpiry, type Expiring } from './expiry.ts'

const START = 1_800_000_000_000

test('returns expired items in portions until they are removed, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5000, max: 20_000 }), { maxLength: 50 }), fc.nat(10), (offsets, limit) => {
      const expiry = createExpiry<Expiring & { index: number }>(START)
      const all = offsets.map((offset, index) => ({
        index,
        expiresAt: START + offset,
        before: undefined,
        after: undefined,
      }))
      for (const item of all) expiry.add(item)
      for (const item of [all[0], all[3]]) if (item) expiry.remove(item)
      const kept = [...offsets.keys()].filter(item => item !== 0 && item !== 3)
      const taken = new Set<number>()
      for (let now = START; now <= START + 22_000; now += 700) {
        const items = expiry.expired(now, limit + 1)
        for (const item of items) expiry.remove(item)
        expect(items.length).toBeLessThanOrEqual(limit + 1)
        for (const { index, expiresAt } of items) {
          expect(taken).not.toContain(index)
          expect(expiresAt).toBeLessThanOrEqual(now)
          taken.add(index)
        }
      }
      for (const { index } of expiry.expired(START + 30_000, 1000)) taken.add(index)
      expect([...taken].sort((a, b) => a - b)).toEqual(kept)
    }),
  )
})
