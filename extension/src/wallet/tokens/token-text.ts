/**
 * Reads symbols and names from token contracts: strings, or bytes32 in contracts that predate the standard.
 * https://eips.ethereum.org/EIPS/eip-20
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { readArguments } from '@heliograph/shared/evm/abi-decode'
import { decodeData } from '@heliograph/shared/evm/hex'
import * as v from 'valibot'
import { line } from '../text/values.ts'

/** Maximum characters of a token's symbol or name. The rest is cut off. */
export const MAX_TOKEN_SYMBOL = 64
/** Maximum characters of a symbol that may have spaces and punctuation. */
const SHORT = 11

/**
 * Results are decoded like function arguments. A string is read as bytes, because invalid UTF-8 must not count as text.
 */
const { parameters } = parseFunction('answer(bytes value)')
const WORD = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the bytes before the first zero, which ends a bytes32 text. */
const contentOf = (result: Uint8Array): Uint8Array => {
  if (result.length !== WORD) return decodeData(readArguments(result, parameters).values[0]?.value)
  const end = result.indexOf(0)
  return end === -1 ? result : result.subarray(0, end)
}

/**
 * Removes the zeros that some contracts append, and cuts the text to a symbol's maximum length without splitting a
 * surrogate pair.
 */
const tidy = (text: string): string =>
  text
    .replace(/\0+$/, '')
    .trim()
    .slice(0, MAX_TOKEN_SYMBOL)
    .replace(/[\ud800-\udbff]$/, '')

/** Decodes the text in a result of `symbol()` or `name()`. Null if there is none, or if it is not readable. */
export const tokenText = (result: unknown): string | null => {
  try {
    return tidy(utf8.decode(contentOf(decodeData(result)))) || null
  } catch {
    return null
  }
}

/** Schema for the symbol of a listed token. */
export const TokenSymbol = line(MAX_TOKEN_SYMBOL)

/** True for a symbol that consists of visible characters and is neither a sentence nor a site's address. */
export const isPlainSymbol = (symbol: string | null): symbol is string =>
  symbol !== null && v.is(TokenSymbol, symbol) && (symbol.length <= SHORT || /^[\p{L}\p{M}\p{N}_+/-]+$/u.test(symbol))
