/** Recovery phrases: BIP-39 in all its languages, https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki */
import { randomBytes } from '@noble/hashes/utils.js'
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { rpcError } from '../text/errors.ts'
import { LANGUAGES, type Language } from './languages.ts'

/** Loads the 2048 words of a language, in BIP-39's order, normalized to NFKD. */
export type WordLists = (language: Language) => Promise<readonly string[]>

/** Number of words → bytes of entropy. */
const ENTROPY_BYTES = { 12: 16, 15: 20, 18: 24, 21: 28, 24: 32 } as const
export type PhraseLength = keyof typeof ENTROPY_BYTES

export type PhraseCheck = { valid: boolean; unknownWords: number[] }

/** Lower case, single spaces, NFKD: the input of BIP-39's derivation. */
export const normalizePhrase = (phrase: string): string =>
  phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')

/** Returns a new English phrase from the system's random bytes. */
export const newPhrase = async (words: PhraseLength, wordLists: WordLists): Promise<string> => {
  const list = [...(await wordLists('english'))]
  const entropy = randomBytes(ENTROPY_BYTES[words])
  const phrase = entropyToMnemonic(entropy, list)
  entropy.fill(0)
  return phrase
}

const checkIn = (list: readonly string[], words: readonly string[]): PhraseCheck => {
  const known = new Set(list)
  const unknownWords = words.flatMap((word, place) => (known.has(word) ? [] : [place]))
  return { valid: unknownWords.length === 0 && validateMnemonic(words.join(' '), [...list]), unknownWords }
}

/**
 * Checks a phrase in every language. `unknownWords` has the indexes of words that are missing in the list of the best
 * matching language.
 */
export const checkPhrase = async (phrase: string, wordLists: WordLists): Promise<PhraseCheck> => {
  const words = normalizePhrase(phrase).split(' ')
  const inEnglish = checkIn(await wordLists('english'), words)
  if (inEnglish.valid) return inEnglish
  const others = await Promise.all(
    LANGUAGES.filter(language => language !== 'english').map(async language =>
      checkIn(await wordLists(language), words),
    ),
  )
  const [first = inEnglish] = [inEnglish, ...others].toSorted(
    (one, other) => one.unknownWords.length - other.unknownWords.length || Number(other.valid) - Number(one.valid),
  )
  return first
}

/** Returns the normalized phrase. Throws -32602 if it is invalid. */
export const toPhrase = async (text: string, wordLists: WordLists): Promise<string> => {
  if (!(await checkPhrase(text, wordLists)).valid) throw rpcError('invalidParams', 'notPhrase')
  return normalizePhrase(text)
}
