import { expect, test } from 'vitest'
import { pickPlaces } from './set-up.ts'

test('positions are distinct, sorted and spread over the whole phrase', () => {
  const seen = new Set<number>()
  for (let round = 0; round < 300; round++) {
    const places = pickPlaces(12, 3)
    expect(new Set(places).size).toBe(3)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    for (const place of places) seen.add(place)
  }
  expect(seen.size).toBe(12)
})
