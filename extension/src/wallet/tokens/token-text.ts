/**
 * Reads symbols and names of token contracts: text, or bytes32 in contracts that predate the standard.
 * https://eips.ethereum.org/EIPS/eip-20
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { readArguments } from '@heliograph/shared/evm/abi-decode'
import { decodeData } from '@heliograph/shared/evm/hex'
import * as v from 'valibot'
import { line } from '../text/values.ts'

/** Maximum characters of a token's symbol or name. The rest is cut off. */
export const MAX_TOKEN_SYMBOL = 64
/** Characters up to which a symbol may have spaces and punctuation. */
const SHORT = 11

/** Results are decoded like function arguments. Text is read as bytes, because invalid UTF-8 is no text. */
const { parameters } = parseFunction('answer(bytes value)')
const WORD = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** bytes32 ends at its first zero. */
const contentOf = (result: Uint8Array): Uint8Array => {
  if (result.length !== WORD) return decodeData(readArguments(result, parameters).values[0]?.value)
  const end = result.indexOf(0)
  return end === -1 ? result : result.subarray(0, end)
}

/** Without the zeros that some contracts append, and at most as long as a symbol, without half a character. */
const tidy = (text: string): string =>
  text
    .replace(/\0+$/, '')
    .trim()
    .slice(0, MAX_TOKEN_SYMBOL)
    .replace(/[\ud800-\udbff]$/, '')

/** The text in the result of `symbol()` or `name()`. Null if there is none, or if nobody can read it. */
export const tokenText = (result: unknown): string | null => {
  try {
    return tidy(utf8.decode(contentOf(decodeData(result)))) || null
  } catch {
    return null
  }
}

/** A symbol that a token can be listed with. */
export const TokenSymbol = line(MAX_TOKEN_SYMBOL)

/** True for a symbol of visible characters that is no sentence and no address of a site. */
export const isPlainSymbol = (symbol: string | null): symbol is string =>
  symbol !== null && v.is(TokenSymbol, symbol) && (symbol.length <= SHORT || /^[\p{L}\p{M}\p{N}_+/-]+$/u.test(symbol))
