/** Facts of found tokens: their contracts' symbols and decimals, and whether they are probably spam. */
import { sameAddress } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import { MAX_DECIMALS, wholeNumber } from '../text/values.ts'
import type { Asset } from './assets.ts'
import type { Found, FoundToken, Owner } from './found.ts'
import { type AccountAtNode, readTokenMetadata, type TokenMetadata } from './token-contracts.ts'

/** Schema for a token's decimals. */
export const Decimals = wholeNumber(MAX_DECIMALS)

/** Returns the metadata with decimals that can be displayed. */
export const knownMetadata = ({ symbol, decimals }: TokenMetadata): TokenMetadata => ({
  symbol,
  decimals: v.is(Decimals, decimals) ? decimals : null,
})

/** Reads and stores the metadata of tokens that have none yet, of at most `most` tokens. Throws 4901. */
export const learnFacts = async (found: Found, place: AccountAtNode & Owner, most = Infinity): Promise<void> => {
  const unknown = (await found.of(place)).tokens
    .filter(({ symbol, decimals }) => symbol === null && decimals === null)
    .slice(0, most)
  if (unknown.length === 0) return
  const facts = await readTokenMetadata(place, unknown)
  const learnt = new Map(unknown.map(({ address }, at) => [address, facts[at]]))
  await found.update(place, finds => ({
    ...finds,
    tokens: finds.tokens.map(token => ({ ...token, ...knownMetadata(learnt.get(token.address) ?? token) })),
  }))
}

/** Returns the symbols that a token may imitate: the coin's symbol, and the symbols of other tokens in these lists. */
export const symbolsBeside = (
  { address }: Pick<FoundToken, 'address'>,
  coin: string,
  tokens: readonly Pick<Asset, 'address' | 'symbol'>[],
): string[] => [coin, ...tokens.filter(other => !sameAddress(other.address, address)).map(({ symbol }) => symbol)]
