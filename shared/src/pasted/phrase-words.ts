/** Reads the words of a recovery phrase (BIP-39) from text as people type, copy and paste it. */
import { replaceInvisible } from './plain.ts'

/** The phrase lengths of BIP-39, in words. */
export const PHRASE_LENGTHS = [12, 15, 18, 21, 24] as const
export type PhraseLength = (typeof PHRASE_LENGTHS)[number]

export const isPhraseLength = (count: number): count is PhraseLength => PHRASE_LENGTHS.some(length => length === count)

const LEAST_WORDS = Math.min(...PHRASE_LENGTHS)
export const MOST_WORDS = Math.max(...PHRASE_LENGTHS)

/** A word of letters and their marks. Each Chinese character is a word, also without spaces between them. */
const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}])+/gu

const wordsIn = (text: string): string[] => text.normalize('NFKD').toLowerCase().normalize('NFKD').match(WORD) ?? []

/**
 * The words of a text in lower case and NFKD, in any script. Numbers of a list ("1. ozone"), punctuation, quotes and
 * bullets are left out. An invisible character belongs to the word around it, unless only the text divided there has as
 * many words as a phrase.
 */
export const phraseWords = (text: string): string[] => {
  const words = wordsIn(replaceInvisible(text, ''))
  if (isPhraseLength(words.length)) return words
  const divided = wordsIn(replaceInvisible(text, ' '))
  return isPhraseLength(divided.length) ? divided : words
}

/** True for text that could be a recovery phrase: some dozen words, and no letters before digits, as addresses have them. */
export const looksLikePhrase = (text: string): boolean => {
  const { length } = phraseWords(text)
  return !/\p{L}\d/u.test(text) && length >= LEAST_WORDS && length <= MOST_WORDS
}
