/** Suggests words of a BIP-39 list while a word of a phrase is typed. */

/** Maximum number of suggestions. */
export const MOST_SUGGESTIONS = 6

/** Characters, in NFKD, that must be typed first. Fewer match too many words to be of use. */
const LEAST_TYPED = 2

/** Combining accents of Latin letters, which users omit. */
const ACCENTS = /[\u0300-\u036f]/g

const plain = (word: string): string => word.normalize('NFKD').toLowerCase().replace(ACCENTS, '')

/**
 * Returns the first words of the whole list that start with the typed text, in the list's order. They depend on nothing
 * else, so they do not reveal which word is the right one. There are none once the text is a word of the list.
 */
export const suggestionsFor = (list: readonly string[], typed: string): readonly string[] => {
  const start = plain(typed.trim())
  if (start.length < LEAST_TYPED) return []
  const found = list.filter(word => plain(word).startsWith(start))
  return found.some(word => plain(word) === start) ? [] : found.slice(0, MOST_SUGGESTIONS)
}
