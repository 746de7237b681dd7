/** Reads the words of a recovery phrase (BIP-39) from text as people type, copy and paste it. */
import { PHRASE_LENGTHS, WORD } from './looks-like-phrase.ts'
import { replaceInvisible } from './plain.ts'

export type PhraseLength = (typeof PHRASE_LENGTHS)[number]

export const isPhraseLength = (count: number): count is PhraseLength => PHRASE_LENGTHS.some(length => length === count)

/** A word with its number, as in "1. ozone" and "Word 1: ozone". */
const NUMBERED = new RegExp(`(\\d{1,2})[^\\p{L}\\p{M}\\d]*(${WORD.source})`, 'gu')
/** Divides a title from a phrase. */
const PARTS = /[:\r\n]/

/** The numbered words of a text, by their numbers: columns of a card are often copied line by line. Otherwise undefined. */
const numberedIn = (text: string): string[] | undefined => {
  const numbered = [...text.matchAll(NUMBERED)].map(([, number, word = '']) => ({ number: Number(number), word }))
  const sorted = numbered.toSorted((one, other) => one.number - other.number)
  const first = sorted[0]?.number ?? 0
  const isWhole = first <= 1 && isPhraseLength(sorted.length) && sorted.every(({ number }, at) => number === first + at)
  return isWhole ? sorted.map(({ word }) => word) : undefined
}

const wordsIn = (given: string): string[] => {
  const text = given.normalize('NFKD').toLowerCase().normalize('NFKD')
  return numberedIn(text) ?? text.match(WORD) ?? []
}

/** The words of the text's part that has as many as a phrase, without a title or a note; undefined if there is none. */
const wordsOfPart = (text: string): string[] | undefined => {
  const parts = text.split(PARTS)
  return [...parts, parts.slice(1).join(' ')].map(wordsIn).find(words => isPhraseLength(words.length))
}

/**
 * The words of a text in lower case and NFKD, in any script. Numbers of a list ("1. ozone"), punctuation, quotes and
 * bullets are left out. An invisible character belongs to the word around it, unless nothing else divides the words
 * of a phrase.
 */
export const phraseWords = (text: string): string[] => {
  const joined = replaceInvisible(text, '')
  const words = wordsIn(joined)
  if (isPhraseLength(words.length)) return words
  const divided = words.length === 1 ? wordsIn(replaceInvisible(text, ' ')) : []
  return isPhraseLength(divided.length) ? divided : (wordsOfPart(joined) ?? words)
}
