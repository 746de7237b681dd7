/** Sections of tokens: the user's list, and the choices about tokens and collections that accounts got. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import type { TokenChoiceItem } from '../../messages.ts'
import { finding } from '../review/findings.ts'
import { type FoundToken, MAX_ITEMS } from '../tokens/found.ts'
import { Decimals } from '../tokens/found-facts.ts'
import { imitatedInOtherLetters } from '../tokens/imitations.ts'
import { MAX_TOKEN_SYMBOL, TokenSymbol } from '../tokens/token-text.ts'
import { lower, type Section } from './section.ts'
import { address, chainId, flag, listOf, textOrNull } from './values.ts'

const ITEM_ID = v.pipe(v.string(), v.regex(/^\d{1,78}$/))

export const tokens: Section<'tokens'> = {
  name: 'tokens',
  schema: v.object({ chainId, address, symbol: TokenSymbol, decimals: Decimals, isFound: flag }),
  idOf: item => `${item.chainId} ${lower(item.address)}`,
  read: async ({ assets }) => (await assets.list()).map(asset => ({ ...asset, isFound: asset.isFound ?? false })),
  compare: ({ symbol, decimals }, known) =>
    symbol === known.symbol && decimals === known.decimals ? 'same' : 'differs',
  fitting: ({ held }) => {
    const symbols = [...held.tokens.values()].map(({ symbol }) => symbol)
    return value => {
      const imitated = imitatedInOtherLetters(value.symbol, symbols)
      return {
        value,
        findings: imitated === null ? [] : [finding('danger', 'imitatedAsset', value.symbol, imitated)],
      }
    }
  },
  write: async ({ parts }, items) => {
    const assets = items.map(({ isFound, address: own, ...asset }) => ({
      ...asset,
      address: own as Address,
      ...(isFound && { isFound }),
    }))
    await parts.assets.add(...assets)
  },
}

const ownerKey = (item: TokenChoiceItem): string => `${item.chainId} ${lower(item.account)}`

/** Adds a choice to an account's finds. A token that was found before keeps its facts. */
const withChoice = (found: readonly FoundToken[], item: TokenChoiceItem): readonly FoundToken[] => {
  const { address: own, kind, ids, symbol, decimals, choice } = item
  const isThis = (token: FoundToken) => sameAddress(token.address, own)
  return found.some(isThis)
    ? found.map(token => (isThis(token) ? { ...token, choice } : token))
    : [...found, { address: own as Address, kind, ids, symbol, decimals, choice }]
}

export const tokenChoices: Section<'tokenChoices'> = {
  name: 'tokenChoices',
  schema: v.object({
    chainId,
    account: address,
    address,
    kind: v.picklist(['erc20', 'erc721', 'erc1155']),
    ids: listOf(ITEM_ID, MAX_ITEMS),
    symbol: textOrNull(MAX_TOKEN_SYMBOL),
    decimals: v.fallback(v.nullish(Decimals, null), null),
    choice: v.picklist(['shown', 'hidden']),
  }),
  idOf: item => `${ownerKey(item)} ${lower(item.address)}`,
  read: async ({ found }) =>
    (await found.all()).flatMap(({ chainId: chain, account, tokens: all }) =>
      all.flatMap(({ choice, ...token }) => (choice === null ? [] : [{ chainId: chain, account, ...token, choice }])),
    ),
  compare: ({ choice }, known) => (choice === known.choice ? 'same' : 'differs'),
  write: async ({ parts }, items) => {
    const owners = new Map(items.map(item => [ownerKey(item), item]))
    for (const [key, { chainId: chain, account }] of owners)
      await parts.found.update({ chainId: chain, account: account as Address }, ({ looked, tokens: all }) => ({
        looked,
        tokens: items.filter(item => ownerKey(item) === key).reduce(withChoice, all),
      }))
  },
}
