/** Tokens that are made to be taken for others: anybody can deploy a contract that calls itself anything. */
import { skeletonOf } from '../review/confusables.ts'

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

/** What a reader takes for the symbol: case and what cannot be seen count for nothing. */
const seenAs = (symbol: string): string =>
  skeletonOf(symbol.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\s.]/gu, ''))

/**
 * The symbol that another one can be taken for: one that the person has already, under another address, or a known one
 * that is written a little otherwise. Null where there is none.
 */
export const imitated = (symbol: string, own: readonly string[]): string | null => {
  const seen = seenAs(symbol)
  if (seen === '') return null
  const mine = own.find(other => seenAs(other) === seen)
  if (mine !== undefined) return mine
  return WELL_KNOWN.find(known => seenAs(known) === seen && known !== symbol.toUpperCase()) ?? null
}
