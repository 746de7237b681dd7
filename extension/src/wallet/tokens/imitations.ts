/** Detects tokens that imitate others. Anyone can deploy a contract with any symbol. */
import { findImitatedName, nameSkeletonOf } from '../text/confusables.ts'

/**
 * Well-known symbols. A similar spelling counts as an imitation. An exact match may be the real token, which only its
 * address can prove.
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
 * Returns the symbol that `symbol` imitates: a token of the user, or a well-known one in a different spelling. Null if
 * there is none.
 */
export const imitated = (symbol: string, own: readonly string[]): string | null => {
  const seen = nameSkeletonOf(symbol)
  if (seen === '') return null
  const mine = own.find(other => nameSkeletonOf(other) === seen)
  if (mine !== undefined) return mine
  return WELL_KNOWN.find(known => nameSkeletonOf(known) === seen && known !== symbol.toUpperCase()) ?? null
}

/** Like `imitated`, but ignores exact matches with `own`, which may be the same token. */
export const imitatedInOtherLetters = (symbol: string, own: readonly string[]): string | null =>
  findImitatedName(symbol, [...own, ...WELL_KNOWN]) ?? null
