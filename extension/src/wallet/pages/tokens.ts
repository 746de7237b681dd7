/** UI methods for tokens: balances, found tokens, and the token list. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import * as v from 'valibot'
import type { AssetKind, FoundTokenView } from '../../messages.ts'
import { searchView } from '../networks/log-search.ts'
import { askQuantity } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { report, rpcError } from '../text/errors.ts'
import { MAX_DECIMALS } from '../text/values.ts'
import type { Asset } from '../tokens/assets.ts'
import { type FoundToken, MAX_ITEMS, type Owner, withIds, withMoves } from '../tokens/found.ts'
import { Decimals, knownMetadata, learnFacts, symbolsBeside } from '../tokens/found-facts.ts'
import { createHoldings } from '../tokens/holdings.ts'
import { imitated } from '../tokens/imitations.ts'
import { spamMarkOf } from '../tokens/spam.ts'
import {
  type AccountAtNode,
  readBalances,
  readItems,
  readKind,
  readOwnIds,
  readTokenMetadata,
  type TokenMetadata,
} from '../tokens/token-contracts.ts'
import { isPlainSymbol, MAX_TOKEN_SYMBOL, TokenSymbol } from '../tokens/token-text.ts'
import { searchTransfers } from '../tokens/transfer-search.ts'
import { readGivenAddress } from './given-address.ts'
import type { Ui, UiParts } from './parts.ts'

type TokenMethod = 'getHoldings' | 'getFoundTokens' | 'findTokens' | 'describeToken' | 'showToken' | 'hideToken'

/** Sort order: undecided first, then shown, then hidden tokens; spam last among each. */
const ORDER = { null: 0, shown: 1, hidden: 2 } as const
const byChoice = (one: FoundTokenView, other: FoundTokenView) =>
  ORDER[`${one.choice}`] - ORDER[`${other.choice}`] || Number(one.spam !== null) - Number(other.spam !== null)

/** Number of blocks by which the heights of nodes on the same chain may differ. */
const MAX_LAG = 64

export const createTokensUi = (parts: UiParts): Pick<Ui, TokenMethod> => {
  const { vault, networks, assets, found, kept, chain, tasks, listedTokens, now } = parts
  const holdings = createHoldings()

  const placeOf = async ({
    address,
    chainId,
  }: {
    address: string
    chainId: number
  }): Promise<AccountAtNode & Owner> => {
    const account = toAddress(address)
    return { chain, network: onBehalfOf(await networks.get(chainId), account), chainId, account }
  }
  const listedOn = async (chainId: number) => (await assets.list()).filter(asset => asset.chainId === chainId)
  /** Returns the user's tokens and the catalogue's tokens. */
  const knownOn = async (chainId: number) => [...(await listedOn(chainId)), ...(await listedTokens(chainId))]

  /** Returns the choice for a token. A listed token counts as shown, even if a site added it. */
  const choiceOf = (listed: readonly Asset[], { address, choice }: FoundToken) =>
    listed.some(other => sameAddress(other.address, address)) ? 'shown' : choice === 'shown' ? null : choice

  const withChoice =
    (listed: readonly Asset[]) =>
    (token: FoundToken): FoundToken =>
      token.kind === 'erc20' ? { ...token, choice: choiceOf(listed, token) } : token

  const viewOf = (
    { address, kind, choice, ...facts }: FoundToken,
    held: string | null,
    network: Network,
    known: readonly Asset[],
  ): FoundTokenView => {
    const { symbol, decimals } = knownMetadata(facts)
    const own = symbolsBeside({ address }, network.currency.symbol, known)
    const imitates = symbol === null || choice === 'shown' ? null : imitated(symbol, own)
    return {
      address,
      kind,
      symbol,
      decimals,
      held,
      // Collections are shown by their names, which may have several words.
      isPlain: kind === 'erc20' ? isPlainSymbol(symbol) : v.is(TokenSymbol, symbol),
      imitates,
      spam: choice === 'shown' ? null : spamMarkOf(symbol, own),
      choice,
    }
  }

  /**
   * Makes room in shown collections that are full, by removing ids of items that the account no longer holds. If an
   * item comes back, its transfer is found again.
   */
  const makeRoom = async (place: AccountAtNode & Owner) => {
    const isFull = ({ ids, choice }: FoundToken) => choice === 'shown' && ids.length >= MAX_ITEMS
    const full = (await found.of(place)).tokens.filter(isFull)
    if (full.length === 0) return
    const held = await readItems(place, full)
    const kept = new Map(full.map(({ address }, at) => [address, held[at]?.map(({ id }) => id)]))
    await found.update(place, finds => ({
      ...finds,
      tokens: finds.tokens.map(token => ({ ...token, ids: kept.get(token.address) ?? token.ids })),
    }))
  }

  /** Adds the ids that a collection itself lists, so no search has to find them. */
  const learnItems = async (place: AccountAtNode & Owner, { address, kind }: FoundToken) => {
    if (kind !== 'erc721') return
    const ids = await readOwnIds(place, address, MAX_ITEMS)
    await found.update(place, finds => ({ ...finds, tokens: withIds(finds.tokens, { address }, ids) }))
  }

  /** Describes the token or collection at an address. Throws -32602 if there is none. */
  const describe = async (place: AccountAtNode, address: Address): Promise<FoundToken> => {
    const kind = await readKind(place, address)
    if (kind === null) throw rpcError('invalidParams', 'noToken')
    const [facts] = await readTokenMetadata(place, [{ address, kind }])
    return { address, kind, ids: [], choice: null, ...knownMetadata(facts ?? { symbol: null, decimals: null }) }
  }

  const choose = (owner: Owner, token: FoundToken, choice: FoundToken['choice']) =>
    found.update(owner, ({ looked, tokens }) => ({
      looked,
      tokens: tokens.some(({ address }) => sameAddress(address, token.address))
        ? tokens.map(other => (sameAddress(other.address, token.address) ? { ...other, choice } : other))
        : [...tokens, { ...token, choice }],
    }))

  const toAsset = (
    chainId: number,
    address: Address,
    told: TokenMetadata,
    given: { symbol?: string; decimals?: number },
  ): Asset => {
    const symbol = v.safeParse(TokenSymbol, isPlainSymbol(told.symbol) ? told.symbol : (given.symbol ?? told.symbol))
    const decimals = v.safeParse(Decimals, told.decimals ?? given.decimals)
    if (!symbol.success) throw rpcError('invalidParams', 'tokenSymbolForm', { most: MAX_TOKEN_SYMBOL })
    if (!decimals.success) throw rpcError('invalidParams', 'tokenDecimalsForm', { most: MAX_DECIMALS })
    return { chainId, address, symbol: symbol.output, decimals: decimals.output }
  }

  /** Returns the found token at an address. Describes it if a search has not found it, or not read its symbol yet. */
  const knownAs = async (place: AccountAtNode & Owner, address: Address): Promise<FoundToken> => {
    const token = (await found.of(place)).tokens.find(one => sameAddress(one.address, address))
    return token && token.symbol !== null ? token : describe(place, address)
  }

  return {
    getHoldings: async asked => {
      await vault.read()
      const place = await placeOf(asked)
      const listed = await listedOn(place.chainId)
      const all = (await found.of(place)).tokens.map(withChoice(listed))
      const collections = all.filter(({ kind, choice }) => kind !== 'erc20' && choice === 'shown')
      const view = await holdings.read(place, listed, collections)
      await kept.note(place, { ...view, at: now() }).catch(report)
      return { ...view, offered: all.filter(({ choice }) => choice === null).length }
    },
    getFoundTokens: async asked => {
      const place = await placeOf(asked)
      await vault.read()
      const finds = await found.of(place)
      const listed = await listedOn(place.chainId)
      const held = await readBalances(place, finds.tokens)
      const known = await knownOn(place.chainId)
      const views = finds.tokens
        .map(withChoice(listed))
        .map((token, at) => viewOf(token, held[at] ?? null, place.network, known))
      return {
        // An undecided token that the account no longer holds does not need a decision.
        tokens: views.filter(({ held: amount, choice }) => choice !== null || amount !== '0').toSorted(byChoice),
        search: finds.looked && searchView(finds.looked),
      }
    },
    findTokens: async asked => {
      const place = await placeOf(asked)
      await vault.read()
      const end = await tasks.run('findTokens', async progress => {
        await makeRoom(place)
        const tip = Number(await askQuantity(chain, place.network, 'eth_blockNumber'))
        const { looked } = await found.of(place)
        // If the chain is much lower than the last search, it was reset, so the search starts again. Nodes may lag
        // slightly.
        const isSame = looked && looked.to <= tip + MAX_LAG
        const head = isSame ? Math.max(tip, looked.to) : tip
        const from = isSame ? looked : { from: head + 1, to: head }
        try {
          const search = { chain, network: place.network, accounts: [place.account], progress }
          return await searchTransfers(search, head, from, async ({ moves, looked: now }) => {
            await found.update(place, ({ tokens }) => ({ looked: now, tokens: withMoves(tokens, moves) }))
          })
        } finally {
          await learnFacts(found, place)
        }
      })
      const { looked } = await found.of(place)
      return { search: looked && searchView(looked), refusal: end.refusal }
    },
    describeToken: async ({ token, ...asked }) => {
      const place = await placeOf(asked)
      const listed = await listedOn(place.chainId)
      const { address } = await readGivenAddress(parts, token, place.chainId)
      const described = withChoice(listed)(await describe(place, toAddress(address)))
      const [held] = await readBalances(place, [described])
      return viewOf(described, held ?? null, place.network, await knownOn(place.chainId))
    },
    showToken: async ({ token, symbol, decimals, ...asked }) => {
      const place = await placeOf(asked)
      const address = toAddress(token.trim())
      const known = await knownAs(place, address)
      if (known.kind === 'erc20')
        await assets.add(
          toAsset(place.chainId, address, known, {
            ...(symbol !== undefined && { symbol }),
            ...(decimals !== undefined && { decimals }),
          }),
        )
      await choose(place, known, 'shown')
      await learnItems(place, known)
      return null
    },
    hideToken: async ({ token, ...asked }) => {
      const [owner, address] = [{ chainId: asked.chainId, account: toAddress(asked.address) }, toAddress(token)]
      const listed = (await listedOn(owner.chainId)).find(asset => sameAddress(asset.address, address))
      await assets.remove(owner.chainId, address)
      const facts: { kind: AssetKind } & TokenMetadata = {
        kind: 'erc20',
        symbol: listed?.symbol ?? null,
        decimals: listed?.decimals ?? null,
      }
      await choose(owner, { address, ids: [], choice: null, ...facts }, 'hidden')
      return null
    },
  }
}
