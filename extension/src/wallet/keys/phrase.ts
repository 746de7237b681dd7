/** Recovery phrases: BIP-39 in all its languages, https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki */

import { type PhraseLength, phraseWords } from '@heliograph/shared/pasted/phrase-words'
import { randomBytes } from '@noble/hashes/utils.js'
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { rpcError } from '../text/errors.ts'
import { LANGUAGES, type Language } from './languages.ts'

/** Loads the 2048 words of a language, in BIP-39's order, normalized to NFKD. */
export type WordLists = (language: Language) => Promise<readonly string[]>

/** Number of words → bytes of entropy. */
const ENTROPY_BYTES: Readonly<Record<PhraseLength, number>> = { 12: 16, 15: 20, 18: 24, 21: 28, 24: 32 }

export type PhraseCheck = { valid: boolean; unknownWords: number[] }

/** `phrase` is the words of the list, in NFKD and with single spaces: the input of BIP-39's derivation. */
type Reading = PhraseCheck & { phrase: string }

/** Lower case, single spaces, NFKD, without numbers and punctuation. */
export const normalizePhrase = (text: string): string => phraseWords(text).join(' ')

/** Returns a new English phrase from the system's random bytes. */
export const newPhrase = async (words: PhraseLength, wordLists: WordLists): Promise<string> => {
  const list = [...(await wordLists('english'))]
  const entropy = randomBytes(ENTROPY_BYTES[words])
  const phrase = entropyToMnemonic(entropy, list)
  entropy.fill(0)
  return phrase
}

/** Accents of Latin letters. Voicing marks of Japanese are not among them. */
const ACCENTS = /[\u0300-\u036f]/g

/**
 * The words of a list by their spelling without accents, which people leave out. BIP-39 says that they do not matter in
 * Spanish. A spelling of two words leads to none.
 */
const byPlainSpelling = (list: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const word of list) {
    const plain = word.replace(ACCENTS, '')
    if (found.has(plain)) ambiguous.add(plain)
    found.set(plain, word)
  }
  for (const plain of ambiguous) found.delete(plain)
  return found
}

const readIn = (list: readonly string[], words: readonly string[]): Reading => {
  const exact = new Set(list)
  const plain = byPlainSpelling(list)
  const found = words.map(word => (exact.has(word) ? word : plain.get(word.replace(ACCENTS, ''))))
  const unknownWords = found.flatMap((word, place) => (word === undefined ? [place] : []))
  const phrase = found.join(' ')
  return { valid: unknownWords.length === 0 && validateMnemonic(phrase, [...list]), unknownWords, phrase }
}

/**
 * Reads a phrase in every language. `unknownWords` has the indexes of words that are missing in the list of the best
 * matching language. Text that is a valid phrase in two languages, each with accounts of its own, is not read as either.
 */
const readPhrase = async (text: string, wordLists: WordLists): Promise<Reading> => {
  const written = normalizePhrase(text)
  const words = written.split(' ')
  const isAsWritten = ({ valid, phrase }: Reading) => valid && phrase === written
  const readAs = async (language: Language) => readIn(await wordLists(language), words)
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

/** Checks a phrase in every language. */
export const checkPhrase = async (text: string, wordLists: WordLists): Promise<PhraseCheck> => {
  const { valid, unknownWords } = await readPhrase(text, wordLists)
  return { valid, unknownWords }
}

/** Returns the phrase in the form that its keys are derived from. Throws -32602 if it is invalid. */
export const toPhrase = async (text: string, wordLists: WordLists): Promise<string> => {
  const { valid, phrase } = await readPhrase(text, wordLists)
  if (!valid) throw rpcError('invalidParams', 'notPhrase')
  return phrase
}
