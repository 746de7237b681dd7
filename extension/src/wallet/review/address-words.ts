/** Addresses in calldata that is not decoded. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'

/** Hex digits of a word, of `0x`, and of a selector. */
const WORD = 64
const PREFIX = 2
const SELECTOR = 8
const ZEROS = '0'.repeat(24)
/** Nobody can make an address with so many leading zeros. Smaller words are numbers. */
const NUMBER = '0'.repeat(16)
/** Maximum number of addresses. */
const MAX_NAMED = 64

const isAddressWord = (word: string): boolean =>
  word.length === WORD && word.startsWith(ZEROS) && !word.startsWith(NUMBER, ZEROS.length) && !/f{16}$/.test(word)

/** The addresses that stand in words of their own, in order and each once. */
export const addressesInWords = (data: Hex): string[] => {
  const found = new Set<string>()
  for (let at = PREFIX + SELECTOR; at < data.length && found.size < MAX_NAMED; at += WORD) {
    const word = data.slice(at, at + WORD).toLowerCase()
    if (isAddressWord(word)) found.add(toAddress(`0x${word.slice(ZEROS.length)}`))
  }
  return [...found]
}
