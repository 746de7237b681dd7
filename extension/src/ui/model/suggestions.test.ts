import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { expect, test } from 'vitest'
import { MOST_SUGGESTIONS, suggestionsFor } from './suggestions.ts'

test('words that start with the typed letters are suggested, from the second letter on', () => {
  expect(suggestionsFor(english, 'aba')).toEqual(['abandon'])
  expect(suggestionsFor(english, ' AB')).toEqual(['abandon', 'ability', 'able', 'about', 'above', 'absent'])
  for (const typed of ['', ' ', 'a', 'zz', 'abandonn', 'ab an']) expect(suggestionsFor(english, typed)).toEqual([])
})

test('a complete word gets no suggestions, even if it is the start of others', () => {
  for (const typed of ['abandon', 'car', ' Car ']) expect(suggestionsFor(english, typed)).toEqual([])
  expect(suggestionsFor(english, 'carp')).toEqual(['carpet'])
})

test('accents may be omitted, and any Unicode form is accepted', () => {
  expect(suggestionsFor(spanish, 'abac')).toEqual(['ábaco'.normalize('NFKD')])
  expect(suggestionsFor(spanish, 'ábac'.normalize('NFC'))).toEqual(['ábaco'.normalize('NFKD')])
  expect(suggestionsFor(french, 'eco').map(word => word.normalize('NFC'))).toEqual([
    'école',
    'économie',
    'écorce',
    'écouter',
  ])
  expect(suggestionsFor(french, 'ac')).toHaveLength(MOST_SUGGESTIONS)
  expect(suggestionsFor(japanese, 'あいこ')).toEqual(['あいこくしん'])
})

test('a list that is not loaded yet suggests nothing', () => {
  expect(suggestionsFor([], 'abandon')).toEqual([])
})
