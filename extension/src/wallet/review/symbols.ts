/** Reviews the symbol of a token that is not listed. Anybody can deploy a contract with any symbol. */
import type { Finding } from '../../messages.ts'
import { sameText } from '../text/confusables.ts'
import { imitatedInOtherLetters } from '../tokens/imitations.ts'
import { finding } from './findings.ts'

/** `listed` are the symbols of listed tokens at other addresses, `currencies` those of the networks. */
export const reviewSymbol = (symbol: string, listed: readonly string[], currencies: readonly string[]): Finding[] => {
  if (listed.some(other => sameText(other, symbol))) return [finding('danger', 'namesakeAsset', symbol)]
  const imitated = imitatedInOtherLetters(symbol, [...currencies, ...listed])
  return imitated === null ? [] : [finding('danger', 'imitatedAsset', symbol, imitated)]
}
