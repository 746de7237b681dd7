/** Recovery phrases: BIP-39 in all its languages, https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki */
import { rpcError } from '@heliograph/shared/errors'
import { randomBytes } from '@noble/hashes/utils.js'
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { LANGUAGES, type Language } from './languages.ts'

/** Brings the 2048 words of a language, in the order and in the form (NFKD) of BIP-39. */
export type WordLists = (language: Language) => Promise<readonly string[]>

/** Number of words → bytes of entropy. */
const ENTROPY_BYTES = { 12: 16, 15: 20, 18: 24, 21: 28, 24: 32 } as const
export type PhraseLength = keyof typeof ENTROPY_BYTES

export type PhraseCheck = { valid: boolean; unknownWords: number[] }

/** Lower case, single spaces, Unicode NFKD: what BIP-39 derives from. */
export const normalizePhrase = (phrase: string): string =>
  phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')

/** A new English phrase straight from the system's randomness. */
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
 * Whether a phrase is one in any language, and the places, from 0, of words that are in no phrase of the language that
 * knows most of them.
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

/** A phrase in its normal form. Throws -32602 for what is no phrase. */
export const toPhrase = async (text: string, wordLists: WordLists): Promise<string> => {
  if (!(await checkPhrase(text, wordLists)).valid)
    throw rpcError('invalidParams', 'That is not a recovery phrase: check the words and their order')
  return normalizePhrase(text)
}
