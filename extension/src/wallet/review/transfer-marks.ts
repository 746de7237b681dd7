/** Marks transfers to an account that may be traps. Anyone can send worthless tokens, and log transfers of amount 0. */
import type { TransferMark } from '../../messages.ts'
import { imitated } from '../tokens/imitations.ts'
import type { Incoming } from '../tokens/incoming.ts'
import { spamMarkOf } from '../tokens/spam.ts'
import { isPlainSymbol } from '../tokens/token-text.ts'
import type { KnownAddresses } from './lookalikes.ts'

/**
 * `addresses` are the accounts, the contacts, and earlier recipients, which have no name. `symbols` are the listed
 * tokens' symbols.
 */
export type KnownParties = { addresses: KnownAddresses<{ address: string; name: string }>; symbols: readonly string[] }

const marksOfToken = (symbol: string, symbols: readonly string[]): TransferMark[] => {
  const known = imitated(symbol, symbols)
  if (known !== null) return [{ name: 'imitatedToken', known }]
  return isPlainSymbol(symbol) && spamMarkOf(symbol, []) === null ? [] : [{ name: 'oddName' }]
}

/**
 * Returns a transfer's marks. `claimed` is an unlisted token's symbol; null if the token is listed or has none. A
 * sender whose address resembles a known one may hope that the user copies the wrong address (address poisoning).
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
