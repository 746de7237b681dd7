/** Finds addresses in calldata that cannot be decoded. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'

/** Number of hex digits in a word, in `0x`, and in a selector. */
const WORD = 64
const PREFIX = 2
const SELECTOR = 8
const ZEROS = '0'.repeat(24)
/**
 * Leading zeros, after an address's padding, from which a word is a number. Nobody can create an address with that
 * many.
 */
const NUMBER = '0'.repeat(16)
/** Maximum number of addresses returned. */
const MAX_NAMED = 64

const isAddressWord = (word: string): boolean =>
  word.length === WORD && word.startsWith(ZEROS) && !word.startsWith(NUMBER, ZEROS.length) && !/f{16}$/.test(word)

/** Returns the addresses that fill a word, in order and without duplicates. */
export const addressesInWords = (data: Hex): string[] => {
  const found = new Set<string>()
  for (let at = PREFIX + SELECTOR; at < data.length && found.size < MAX_NAMED; at += WORD) {
    const word = data.slice(at, at + WORD).toLowerCase()
    if (isAddressWord(word)) found.add(toAddress(`0x${word.slice(ZEROS.length)}`))
  }
  return [...found]
}
