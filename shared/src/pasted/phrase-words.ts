/** Reads the words of a recovery phrase (BIP-39) from typed or pasted text. */
import { PHRASE_LENGTHS, WORD } from './looks-like-phrase.ts'
import { replaceInvisible } from './plain.ts'

export type PhraseLength = (typeof PHRASE_LENGTHS)[number]

export const isPhraseLength = (count: number): count is PhraseLength => PHRASE_LENGTHS.some(length => length === count)

/** A word with its number, as in "1. ozone" and "Word 1: ozone". */
const NUMBERED = new RegExp(`(\\d{1,2})[^\\p{L}\\d]*(${WORD.source})`, 'gu')
/**
 * Text that separates a phrase from a title or notes: line breaks and `name:`, empty lines, ends of sentences and
 * quotes.
 */
const LINES = /[:=\r\n]/
const DIVIDERS = [LINES, /\n\s*\n/, /[:=.!?()"“”„\r\n]/]

/**
 * Returns a text's numbered words, sorted by number, because a card's columns are often copied line by line. Returns
 * undefined unless the words of a whole phrase are numbered.
 */
const numberedIn = (text: string): string[] | undefined => {
  const numbered = [...text.matchAll(NUMBERED)].map(([, number, word = '']) => ({ number: Number(number), word }))
  const sorted = numbered.toSorted((one, other) => one.number - other.number)
  const first = sorted[0]?.number ?? 0
  const isWhole = first <= 1 && isPhraseLength(sorted.length) && sorted.every(({ number }, at) => number === first + at)
  return isWhole ? sorted.map(({ word }) => word) : undefined
}

const wordsIn = (given: string): string[] => {
  // In Turkish, the lower case of I is ı, without a dot, so ı is read as i.
  const text = given.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll('ı', 'i')
  return numberedIn(text) ?? text.match(WORD) ?? []
}

/**
 * Returns the words of each part that is as long as a phrase. Returns none if one way to split the text gives several
 * such parts: they may be several phrases, or halves of one.
 */
const wordsOfParts = (text: string): string[][] => {
  const untitled = text.split(LINES).slice(1).join(' ')
  const divided = [...DIVIDERS.map(divider => text.split(divider)), [untitled]]
  const found = divided.map(parts => parts.map(wordsIn).filter(words => isPhraseLength(words.length)))
  return found.some(({ length }) => length > 1) ? [] : found.flat()
}

/**
 * Returns the possible readings of a text as words, in lower case and NFKD, in any script. Leaves out list numbers ("1.
 * ozone"), punctuation, quotes and bullets. Invisible characters are dropped, unless they are the only separators of a
 * phrase's words.
 *
 * Text with a title or notes can have several readings as long as a phrase. The first one includes title and notes.
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

/** Returns the words of the text's first reading. */
export const phraseWords = (text: string): string[] => phraseReadings(text)[0]
