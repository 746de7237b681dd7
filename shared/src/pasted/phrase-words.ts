/** Reads the words of a recovery phrase (BIP-39) from text as people type, copy and paste it. */
import { PHRASE_LENGTHS, WORD } from './looks-like-phrase.ts'
import { replaceInvisible } from './plain.ts'

export type PhraseLength = (typeof PHRASE_LENGTHS)[number]

export const isPhraseLength = (count: number): count is PhraseLength => PHRASE_LENGTHS.some(length => length === count)

/** A word with its number, as in "1. ozone" and "Word 1: ozone". */
const NUMBERED = new RegExp(`(\\d{1,2})[^\\p{L}\\d]*(${WORD.source})`, 'gu')
/** What divides a phrase from a title and notes: lines and names, empty lines, ends of sentences and quotes. */
const LINES = /[:=\r\n]/
const DIVIDERS = [LINES, /\n\s*\n/, /[:=.!?()"“”„\r\n]/]

/** The numbered words of a text, by their numbers: columns of a card are often copied line by line. Otherwise undefined. */
const numberedIn = (text: string): string[] | undefined => {
  const numbered = [...text.matchAll(NUMBERED)].map(([, number, word = '']) => ({ number: Number(number), word }))
  const sorted = numbered.toSorted((one, other) => one.number - other.number)
  const first = sorted[0]?.number ?? 0
  const isWhole = first <= 1 && isPhraseLength(sorted.length) && sorted.every(({ number }, at) => number === first + at)
  return isWhole ? sorted.map(({ word }) => word) : undefined
}

const wordsIn = (given: string): string[] => {
  // In Turkish, I in lower case has no dot.
  const text = given.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll('ı', 'i')
  return numberedIn(text) ?? text.match(WORD) ?? []
}

/** The parts of a text that have as many words as a phrase. Lines of which several have are no parts, but phrases or halves. */
const wordsOfParts = (text: string): string[][] => {
  const untitled = text.split(LINES).slice(1).join(' ')
  const divided = [...DIVIDERS.map(divider => text.split(divider)), [untitled]]
  const found = divided.map(parts => parts.map(wordsIn).filter(words => isPhraseLength(words.length)))
  return found.some(({ length }) => length > 1) ? [] : found.flat()
}

/**
 * The words of a text in lower case and NFKD, in any script. Numbers of a list ("1. ozone"), punctuation, quotes and
 * bullets are left out. An invisible character belongs to the word around it, unless nothing else divides the words
 * of a phrase. A text that has a title or notes has several readings with as many words as a phrase: with them, which is the
 * first, and without them.
 */
export const phraseReadings = (text: string): [words: string[], ...others: string[][]] => {
  const joined = replaceInvisible(text, '')
  const words = wordsIn(joined)
  const divided = words.length === 1 ? wordsIn(replaceInvisible(text, ' ')) : []
  if (isPhraseLength(divided.length)) return [divided]
  const [first = words, ...others] = [words, ...wordsOfParts(joined)].filter(({ length }) => isPhraseLength(length))
  const texts = new Set([first.join(' ')])
  return [first, ...others.filter(other => texts.size < texts.add(other.join(' ')).size)]
}

/** The words of the text's first reading. */
export const phraseWords = (text: string): string[] => phraseReadings(text)[0]
