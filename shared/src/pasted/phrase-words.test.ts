import { expect, test } from 'vitest'
import { looksLikePhrase } from './looks-like-phrase.ts'
import { isPhraseLength, phraseReadings, phraseWords } from './phrase-words.ts'

test('a pasted phrase is split in any notation', () => {
  for (const text of ['ozone drill grab', ' Ozone\n drill\tgrab ', '1. ozone 2. drill 3. grab', 'ozone,drill;grab'])
    expect(phraseWords(text), text).toEqual(['ozone', 'drill', 'grab'])
  expect(phraseWords('')).toEqual([])
})

test('words keep accents and voicing marks in any Unicode normalization form', () => {
  for (const form of ['NFC', 'NFD', 'NFKD'])
    expect(phraseWords('1. Ábaco 2. がはく\u3000밥상'.normalize(form))).toEqual(
      ['ábaco', 'がはく', '밥상'].map(word => word.normalize('NFKD')),
    )
})

test('phrases have 12, 15, 18, 21 or 24 words', () => {
  expect([12, 15, 18, 21, 24].every(isPhraseLength)).toBe(true)
  expect([0, 11, 13, 25].some(isPhraseLength)).toBe(false)
})

test('invisible characters in and after words are dropped, but separate words if nothing else does', () => {
  const phrase = 'adapt patrol eternal modify make run common noble salute lecture detail aim'
  const words = phrase.split(' ')
  for (const unseen of ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\ufe0f']) {
    expect(phraseWords(words.map(word => `${word}${unseen}`).join(' '))).toEqual(words)
    expect(phraseWords(words.map(word => `${word.slice(0, 2)}${unseen}${word.slice(2)}`).join(' '))).toEqual(words)
  }
  expect(phraseWords(words.join('\u200b'))).toEqual(words)
  expect(phraseWords('ad\u200bapt')).toEqual(['adapt'])
})

test('words are ordered by their numbers, unless the numbers are not a list', () => {
  const words = 'adapt patrol eternal modify make run common noble salute lecture detail aim'.split(' ')
  const columns = words.map((_, at) => (at % 3) * 4 + Math.floor(at / 3))
  const card = (number: (place: number) => number) =>
    columns.map(place => `${number(place)}. ${words[place]}`).join('\n')
  expect(phraseWords(card(place => place + 1))).toEqual(words)
  expect(phraseWords(card(place => place))).toEqual(words)
  const asWritten = columns.map(place => words[place])
  for (const number of [(place: number) => place + 2, (place: number) => place % 6, () => 1])
    expect(phraseWords(card(number))).toEqual(asWritten)
})

test('Chinese words need no spaces between them', () => {
  expect(phraseWords('的一 是\u3000在')).toEqual(['的', '一', '是', '在'])
})

test('a phrase is distinguished from addresses, keys and links', () => {
  const phrase = 'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat'
  const numbered = phrase.split(' ').map((word, at) => `${at + 1}. ${word}`)
  for (const text of [phrase, phrase.replaceAll(' ', ', '), numbered.join('\n'), `"${phrase}."`])
    expect(looksLikePhrase(text), text).toBe(true)
  for (const text of ['', 'some words', `0x${'ab1'.repeat(20)}`, `${phrase} ${phrase} ${phrase}`])
    expect(looksLikePhrase(text), text).toBe(false)
})

test('a text with a title has readings with and without it; two parts as long as phrases give none', () => {
  const words = 'adapt patrol eternal modify make run common noble salute lecture detail aim'.split(' ')
  const title = ['my', 'seed', 'phrase']
  expect(phraseReadings(`My seed phrase:\n${words.join(' ')}`)).toEqual([[...title, ...words], words])
  expect(phraseReadings(`Seed: ${words.join(' ')}`)).toEqual([words])
  expect(phraseReadings(`${words.join(' ')}\n${words.join(' ')}`)).toEqual([[...words, ...words]])
  expect(phraseReadings('')).toEqual([[]])
})
