/** Tokens that are made to be taken for others: anybody can deploy a contract that calls itself anything. */
import { findImitatedName, nameSkeletonOf } from '../review/confusables.ts'

/**
 * Symbols that people know, so that a likeness of one is told as such. A contract that bears one exactly may be the real
 * one: only its address says.
 */
const WELL_KNOWN = [
  'BTC',
  'BUSD',
  'CRV',
  'DAI',
  'ETH',
  'EURC',
  'KAIA',
  'KLAY',
  'LINK',
  'STETH',
  'UNI',
  'USDC',
  'USDT',
  'WBTC',
  'WETH',
  'WSTETH',
]

/**
 * The symbol that another one can be taken for: one that the person has already, under another address, or a known one
 * that is written a little otherwise. Null where there is none.
 */
export const imitated = (symbol: string, own: readonly string[]): string | null => {
  const seen = nameSkeletonOf(symbol)
  if (seen === '') return null
  const mine = own.find(other => nameSkeletonOf(other) === seen)
  if (mine !== undefined) return mine
  return WELL_KNOWN.find(known => nameSkeletonOf(known) === seen && known !== symbol.toUpperCase()) ?? null
}

/** As `imitated`, for symbols that are written otherwise than all the person has: the same text may be the same token. */
export const imitatedInOtherLetters = (symbol: string, own: readonly string[]): string | null =>
  findImitatedName(symbol, [...own, ...WELL_KNOWN]) ?? null
