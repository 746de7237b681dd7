/** Marks transfers to an account that may be traps. Anybody can send worthless tokens, and log transfers of nothing. */
import type { TransferMark } from '../../messages.ts'
import { imitated } from '../tokens/imitations.ts'
import type { Incoming } from '../tokens/incoming.ts'
import { isPlainSymbol } from '../tokens/token-text.ts'
import type { KnownAddresses } from './lookalikes.ts'

/** `addresses` are the accounts, the contacts and earlier recipients, these without a name. `symbols` are listed ones. */
export type KnownParties = { addresses: KnownAddresses<{ address: string; name: string }>; symbols: readonly string[] }

const marksOfToken = (symbol: string, symbols: readonly string[]): TransferMark[] => {
  const known = imitated(symbol, symbols)
  if (known !== null) return [{ name: 'imitatedToken', known }]
  return isPlainSymbol(symbol) ? [] : [{ name: 'oddName' }]
}

/**
 * `claimed` is the symbol of a token that is not listed, null if it has none or is listed. A sender that looks like a known
 * address wants to be taken for it when the person copies an address: this is called address poisoning.
 */
export const marksOf = (
  { from, amount }: Pick<Incoming, 'from' | 'amount'>,
  claimed: string | null,
  { addresses, symbols }: KnownParties,
): TransferMark[] => {
  const like = addresses.find(from) ? undefined : addresses.findLookalike(from)
  return [
    ...(like ? [{ name: 'lookalikeSender' as const, known: like.address, knownName: like.name }] : []),
    ...(amount === '0' ? [{ name: 'zeroValue' as const }] : []),
    ...(claimed === null ? [] : marksOfToken(claimed, symbols)),
  ]
}
