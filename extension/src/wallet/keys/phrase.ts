/** Recovery phrases: BIP-39 in all its languages. https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki */

import { type PhraseLength, phraseReadings, phraseWords } from '@heliograph/shared/pasted/phrase-words'
import { randomBytes } from '@noble/hashes/utils.js'
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { rpcError } from '../text/errors.ts'
import { LANGUAGES, type Language } from './languages.ts'

/** Loads the 2048 words of a language, in BIP-39's order, normalized to NFKD. */
export type WordLists = (language: Language) => Promise<readonly string[]>

/** Bytes of entropy by number of words. */
const ENTROPY_BYTES: Readonly<Record<PhraseLength, number>> = { 12: 16, 15: 20, 18: 24, 21: 28, 24: 32 }

export type PhraseCheck = { valid: boolean; unknownWords: number[] }

/** `phrase` consists of the list's words in NFKD, separated by single spaces: the input of BIP-39's derivation. */
type Reading = PhraseCheck & { phrase: string }

/** Normalizes to NFKD, lower case and single spaces, without numbers and punctuation. */
export const normalizePhrase = (text: string): string => phraseWords(text).join(' ')

/** Returns a new English phrase from the system's random bytes. */
export const newPhrase = async (words: PhraseLength, wordLists: WordLists): Promise<string> => {
  const list = [...(await wordLists('english'))]
  const entropy = randomBytes(ENTROPY_BYTES[words])
  const phrase = entropyToMnemonic(entropy, list)
  entropy.fill(0)
  return phrase
}

/** Combining accents of Latin letters. Does not include Japanese voicing marks. */
const ACCENTS = /[\u0300-\u036f]/g

const withoutAccents = (word: string): string => word.replace(ACCENTS, '')

/** Letters per word on metal backup cards. They identify every word in the lists with Latin letters. */
const CARD_LETTERS = 4
const shortened = (word: string): string => withoutAccents(word).slice(0, CARD_LETTERS)

/** Maps an alternative spelling to the list's word. A spelling that matches two words is left out. */
const bySpelling = (list: readonly string[], spell: (word: string) => string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const word of list) {
    const spelling = spell(word)
    if (found.has(spelling)) ambiguous.add(spelling)
    found.set(spelling, word)
  }
  for (const spelling of ambiguous) found.delete(spelling)
  return found
}

const LATIN = /^[a-z]+$/

/** A word list, and its words by each accepted spelling. */
type Spellings = {
  list: readonly string[]
  exact: ReadonlySet<string>
  plain: ReadonlyMap<string, string>
  short: ReadonlyMap<string, string>
}

const spellingsOf = (list: readonly string[]): Spellings => ({
  list,
  exact: new Set(list),
  plain: bySpelling(list, withoutAccents),
  short: bySpelling(
    list.filter(word => LATIN.test(withoutAccents(word))),
    shortened,
  ),
})

/** Returns a function that loads each language's spellings once, for all readings of a text. */
const loadSpellings = (wordLists: WordLists): ((language: Language) => Promise<Spellings>) => {
  const loaded = new Map<Language, Promise<Spellings>>()
  return language => {
    const known = loaded.get(language) ?? wordLists(language).then(spellingsOf)
    loaded.set(language, known)
    return known
  }
}

/**
 * Looks up words exactly, without accents, or by their first four letters. Accents do not matter in Spanish (BIP-39),
 * and users omit them in other languages too.
 */
const readIn = ({ list, exact, plain, short }: Spellings, words: readonly string[]): Reading => {
  const found = words.map(word => {
    const spelling = withoutAccents(word)
    return exact.has(word) ? word : (plain.get(spelling) ?? short.get(spelling))
  })
  const unknownWords = found.flatMap((word, place) => (word === undefined ? [place] : []))
  const phrase = found.join(' ')
  return { valid: unknownWords.length === 0 && validateMnemonic(phrase, [...list]), unknownWords, phrase }
}

/**
 * Reads a phrase in every language. `unknownWords` has the indexes of words that are missing in the best matching
 * language. If two languages make it a valid phrase, with different accounts, neither is chosen.
 */
const readWords = async (
  words: readonly string[],
  spellings: (language: Language) => Promise<Spellings>,
): Promise<Reading> => {
  const written = words.join(' ')
  const isAsWritten = ({ valid, phrase }: Reading) => valid && phrase === written
  const readAs = async (language: Language) => readIn(await spellings(language), words)
  const inEnglish = await readAs('english')
  if (isAsWritten(inEnglish)) return inEnglish
  const inOthers = await Promise.all(LANGUAGES.filter(language => language !== 'english').map(readAs))
  const readings = [inEnglish, ...inOthers]
  const valid = readings.filter(reading => reading.valid)
  const isCertain = new Set(valid.map(({ phrase }) => phrase)).size === 1
  const chosen = valid.find(isAsWritten) ?? (isCertain ? valid[0] : undefined)
  if (chosen) return chosen
  const [best = inEnglish] = readings.toSorted((one, other) => one.unknownWords.length - other.unknownWords.length)
  return { ...best, valid: false }
}

/**
 * Reads a phrase in text that may have a title and notes. A text whose words are all in a word list is only read as a
 * whole.
 */
const readPhrase = async (text: string, wordLists: WordLists): Promise<Reading> => {
  const spellings = loadSpellings(wordLists)
  const [first, ...others] = phraseReadings(text)
  const whole = await readWords(first, spellings)
  if (whole.valid) return whole
  for (const words of whole.unknownWords.length > 0 ? others : []) {
    const reading = await readWords(words, spellings)
    if (reading.valid) return reading
  }
  return whole
}

/** Checks whether the text contains a valid phrase in any language. */
export const checkPhrase = async (text: string, wordLists: WordLists): Promise<PhraseCheck> => {
  const { valid, unknownWords } = await readPhrase(text, wordLists)
  return { valid, unknownWords }
}

/**
 * Returns the word list, in NFC, of the language that has the most of the text's words. Several languages have all words
 * of an empty text or a few words; then it is the first of them, English if possible.
 */
export const wordListFor = async (text: string, wordLists: WordLists): Promise<readonly string[]> => {
  const words = phraseWords(text)
  const spellings = loadSpellings(wordLists)
  let best: { list: readonly string[]; unknown: number } | null = null
  for (const language of LANGUAGES) {
    const known = await spellings(language)
    const unknown = readIn(known, words).unknownWords.length
    if (best === null || unknown < best.unknown) best = { list: known.list, unknown }
    if (unknown === 0) break
  }
  return (best?.list ?? []).map(word => word.normalize('NFC'))
}

/** Returns the phrase in the form from which its keys are derived. Throws -32602 if it is invalid. */
export const toPhrase = async (text: string, wordLists: WordLists): Promise<string> => {
  const { valid, phrase } = await readPhrase(text, wordLists)
  if (!valid) throw rpcError('invalidParams', 'notPhrase')
  return phrase
}
