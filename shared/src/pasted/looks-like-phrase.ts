/**
 * Distinguishes text that could be a recovery phrase (BIP-39) from addresses, keys and links, without looking up its
 * words.
 */
import { replaceInvisible } from './plain.ts'

/** The phrase lengths of BIP-39, in words. */
export const PHRASE_LENGTHS = [12, 15, 18, 21, 24] as const

const LEAST_WORDS = Math.min(...PHRASE_LENGTHS)
export const MOST_WORDS = Math.max(...PHRASE_LENGTHS)

/** A word: a letter, then letters and marks. Each Chinese character is a word, even without spaces between them. */
export const WORD = /\p{Script=Han}|\p{L}(?:(?!\p{Script=Han})[\p{L}\p{M}])*/gu

/**
 * True for text of 12 to 24 words. Text with a letter directly before a digit is excluded, since addresses and keys
 * have these.
 */
export const looksLikePhrase = (text: string): boolean => {
  const counts = ([' ', ''] as const).map(by => replaceInvisible(text, by).normalize('NFKD').match(WORD)?.length ?? 0)
  return !/\p{L}\d/u.test(text) && counts.some(count => count >= LEAST_WORDS && count <= MOST_WORDS)
}
