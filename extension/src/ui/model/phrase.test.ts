import { expect, test } from 'vitest'
import { isPhraseLength, pickPlaces, splitWords } from './phrase.ts'

test('a pasted phrase is split in any notation', () => {
  for (const text of ['ozone drill grab', ' Ozone\n drill\tgrab ', '1. ozone 2. drill 3. grab', 'ozone,drill;grab'])
    expect(splitWords(text), text).toEqual(['ozone', 'drill', 'grab'])
  expect(splitWords('')).toEqual([])
})

test('words keep accents and voicing marks in any Unicode normalization form', () => {
  for (const form of ['NFC', 'NFD', 'NFKD'])
    expect(splitWords('1. Ábaco 2. がはく\u3000밥상'.normalize(form))).toEqual(
      ['ábaco', 'がはく', '밥상'].map(word => word.normalize('NFKD')),
    )
})

test('phrases have 12, 15, 18, 21 or 24 words', () => {
  expect([12, 15, 18, 21, 24].every(isPhraseLength)).toBe(true)
  expect([0, 11, 13, 25].some(isPhraseLength)).toBe(false)
})

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
