/** Reviews the symbol of an unlisted token. Anyone can deploy a contract with any symbol. */
import type { Finding } from '../../messages.ts'
import { sameText } from '../text/confusables.ts'
import { imitatedInOtherLetters } from '../tokens/imitations.ts'
import { finding } from './findings.ts'

/**
 * Reviews a symbol. `listed` are the symbols of listed tokens at other addresses, `currencies` the networks' currency
 * symbols.
 */
export const reviewSymbol = (symbol: string, listed: readonly string[], currencies: readonly string[]): Finding[] => {
  if (listed.some(other => sameText(other, symbol))) return [finding('danger', 'namesakeAsset', symbol)]
  const imitated = imitatedInOtherLetters(symbol, [...currencies, ...listed])
  return imitated === null ? [] : [finding('danger', 'imitatedAsset', symbol, imitated)]
}
