/** The steps of the wallet's own look for tokens on a network: listed tokens, transfers in logs, and a summary. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { LookLimit } from '../../messages.ts'
import type { ActivityStore } from '../activity/activity.ts'
import type { SearchBounds } from '../networks/log-search.ts'
import { MULTICALL, readTogether } from '../networks/multicall.ts'
import { askAll, type Chain, isRefusal } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import type { Progress } from '../work/tasks.ts'
import type { Asset, Assets } from './assets.ts'
import { type Found, type FoundToken, withMoves } from './found.ts'
import { learnFacts, symbolsBeside } from './found-facts.ts'
import { type Arrivals, type IncomingStore, unseenOf, withSeen } from './incoming.ts'
import { searchIncoming } from './incoming-search.ts'
import type { Look } from './looks.ts'
import { spamMarkOf } from './spam.ts'
import { balanceCall, balanceIn, readItems } from './token-contracts.ts'

export type LookParts = {
  chain: Chain
  network: Network
  accounts: readonly Address[]
  /** The network's tokens in the catalogue, the most used ones first. */
  listed: readonly Asset[]
  assets: Assets
  found: Found
  incoming: IncomingStore
  activity: Pick<ActivityStore, 'list'>
}

/** Number of listed tokens whose balances are read from a node that cannot read many at once. */
export const FEW_LISTED = 40
/** Bounds of each search: 80 calls, and the newest blocks, which are half a year of Ethereum's. */
export const LOOK_BOUNDS: SearchBounds = { queries: 40, blocks: 1_500_000 }
/** Maximum number of tokens whose metadata is read in one look. */
const MOST_LEARNT = 100
/** Maximum number of collections, and of items in each, that are counted. */
const MOST_COLLECTIONS = 50
const MOST_ITEMS = 20

/** True for a known amount other than none. */
const isSome = (amount: string | null): boolean => amount !== null && amount !== '0'

const hasAddress = (tokens: readonly { address: string }[], address: string): boolean =>
  tokens.some(other => sameAddress(other.address, address))

const assetsOn = async ({ assets, network }: LookParts): Promise<readonly Asset[]> =>
  (await assets.list()).filter(({ chainId }) => chainId === network.chainId)

/** Returns the listed tokens that the user neither has in the list nor has hidden, for whichever account. */
const candidates = async (parts: LookParts): Promise<readonly Asset[]> => {
  const { found, network, accounts, listed } = parts
  const own = await assetsOn(parts)
  const finds = await Promise.all(accounts.map(account => found.of({ chainId: network.chainId, account })))
  const hidden = finds.flatMap(({ tokens }) => tokens.filter(({ choice }) => choice === 'hidden'))
  return listed.filter(({ address }) => !hasAddress(own, address) && !hasAddress(hidden, address))
}

/** Tells whether Multicall3 exists on the network. A node that does not say is asked for each value. Throws 4901. */
const hasMulticall = async ({ chain, network }: LookParts): Promise<boolean> => {
  try {
    const code = await chain(network, 'eth_getCode', [MULTICALL, 'latest'])
    return typeof code === 'string' && code.length > 2
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Adds the tokens that the account holds to the user's list. Throws 4901. */
const addHeld = async (parts: LookParts, account: Address, tokens: readonly Asset[], isTogether: boolean) => {
  const { chain, assets } = parts
  const network = onBehalfOf(parts.network, account)
  const calls = tokens.map(({ address }) => balanceCall(address, account))
  const answers = isTogether
    ? await readTogether(chain, network, calls)
    : await askAll(
        chain,
        network,
        calls.map(call => ({ method: 'eth_call', params: [call, 'latest'] })),
      )
  const held = tokens.filter((_, at) => isSome(balanceIn(answers[at])))
  if (held.length > 0) await assets.add(...held.map(token => ({ ...token, isFound: true as const })))
}

/** Reads the accounts' balances of the listed tokens, and adds the held ones to the user's list. Throws 4901. */
export const lookAtBalances = async (parts: LookParts, accounts: readonly Address[]): Promise<readonly LookLimit[]> => {
  if (accounts.length === 0 || parts.listed.length === 0) return []
  const isTogether = await hasMulticall(parts)
  for (const account of accounts) {
    const tokens = await candidates(parts)
    await addHeld(parts, account, isTogether ? tokens : tokens.slice(0, FEW_LISTED), isTogether)
  }
  return isTogether || parts.listed.length <= FEW_LISTED ? [] : ['fewListed']
}

/**
 * Searches new transfers to the accounts, and adds their tokens to the found ones. A node that searches no logs is a
 * limit, not an error. Throws 4901.
 */
export const lookAtLogs = async (parts: LookParts, progress: Progress): Promise<readonly LookLimit[]> => {
  const { found, incoming, network, accounts, listed } = parts
  const { chainId } = network
  const known = [...(await assetsOn(parts)), ...listed].map(({ address }) => address)
  try {
    const { ended, refusal } = await searchIncoming(
      {
        ...parts,
        listed: known,
        bounds: LOOK_BOUNDS,
        onSighting: async ({ moves }) => {
          for (const account of accounts) {
            const own = moves.filter(({ to }) => sameAddress(to, account))
            if (own.length > 0)
              await found.update({ chainId, account }, finds => ({ ...finds, tokens: withMoves(finds.tokens, own) }))
          }
        },
      },
      progress,
    )
    await incoming.update(chainId, arrivals => accounts.reduce(withFirstSeen, arrivals))
    if (refusal !== null) return ['noLogs']
    return ended ? [] : ['olderBlocks']
  } catch (error) {
    if (!isRefusal(error)) throw error
    return ['noLogs']
  }
}

/** Counts the transfers of an account's first search as seen, because they are no news. */
const withFirstSeen = (arrivals: Arrivals, account: Address): Arrivals =>
  arrivals.seen?.[account.toLowerCase()] === undefined ? withSeen(arrivals, account) : arrivals

type Counts = Pick<Look, 'tokens' | 'collectibles' | 'others' | 'unseen'>

/** Counts what the account holds, without spam, after adding listed tokens that the logs showed. Throws 4901. */
export const summarize = async (parts: LookParts, account: Address): Promise<Counts> => {
  const { chain, found, incoming, listed } = parts
  const network = onBehalfOf(parts.network, account)
  const place = { chain, network, chainId: network.chainId, account }
  await learnFacts(found, place, MOST_LEARNT)
  const { tokens: finds } = await found.of(place)
  const arrived = (await candidates(parts)).filter(({ address }) => hasAddress(finds, address))
  if (arrived.length > 0) await addHeld(parts, account, arrived, true)
  const own = await assetsOn(parts)
  const isSpam = (token: Pick<FoundToken, 'address' | 'symbol'>) =>
    spamMarkOf(token.symbol, symbolsBeside(token, network.currency.symbol, [...own, ...listed])) !== null
  const others = finds.filter(({ choice, address }) => choice !== 'hidden' && !hasAddress(own, address))
  const coins = others.filter(({ kind }) => kind === 'erc20')
  const collections = others
    .filter(token => token.kind !== 'erc20' && !isSpam(token))
    .slice(0, MOST_COLLECTIONS)
    .map(collection => ({ ...collection, ids: collection.ids.slice(0, MOST_ITEMS) }))
  const answers = await readTogether(
    chain,
    network,
    [...own, ...coins].map(({ address }) => balanceCall(address, account)),
  )
  const amounts = answers.map(balanceIn)
  const ofCoins = coins.map((token, at) => ({ token, amount: amounts[own.length + at] ?? null }))
  const items = await readItems(place, collections)
  const spamCollections = others.filter(token => token.choice === null && token.kind !== 'erc20' && isSpam(token))
  return {
    tokens:
      amounts.slice(0, own.length).filter(isSome).length +
      ofCoins.filter(({ token, amount }) => isSome(amount) && !isSpam(token)).length,
    collectibles: items.flat().length,
    others:
      ofCoins.filter(({ amount }) => amount !== '0').length +
      collections.filter(({ choice }, at) => choice === null && items[at]?.length !== 0).length +
      spamCollections.length,
    unseen: await countUnseen(
      parts,
      await incoming.of(network.chainId),
      account,
      token => !hasAddress([...own, ...listed], token.address) && isSpam(token),
    ),
  }
}

/** Counts new transfers. Transfers of nothing, of spam, and in the user's own transactions are no news. */
const countUnseen = async (
  { activity }: LookParts,
  arrivals: Arrivals,
  account: Address,
  isSpam: (token: Pick<FoundToken, 'address' | 'symbol'>) => boolean,
): Promise<number> => {
  const own = new Set((await activity.list()).map(({ hash }) => hash.toLowerCase()))
  const isNews = ({ hash }: { hash: string | null }) => hash === null || !own.has(hash.toLowerCase())
  const received = (arrivals.coins?.received ?? []).filter(one => !one.isSeen && sameAddress(one.account, account))
  const claimOf = (token: Address) => arrivals.tokens.find(({ address }) => sameAddress(address, token))?.symbol ?? null
  const news = unseenOf(arrivals, account).filter(
    ({ token, amount, hash }) =>
      amount !== '0' && isNews({ hash }) && !isSpam({ address: token, symbol: claimOf(token) }),
  )
  return news.length + received.filter(isNews).length
}
