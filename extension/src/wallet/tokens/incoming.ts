/**
 * Transfers of tokens and items to the wallet's accounts, found in a network's logs. Anyone can log such a transfer, so
 * their number is limited. The list is encrypted, because it reveals accounts' holdings.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { AssetKind } from '../../messages.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import type { Looked } from '../networks/log-search.ts'
import type { Coins } from './coins.ts'
import type { TokenMetadata } from './token-contracts.ts'
import type { SightedMove, Sighting } from './transfer-search.ts'

/**
 * A transfer. `index` is its log's number in the block, and `item` its number within a log of several items. `time` is
 * the block's Unix time in ms, null if unknown. `id` and `amount` are decimal. `isListed` is true if the token was in
 * the user's list when the transfer was found.
 */
export type Incoming = {
  account: Address
  from: Address
  hash: Hex
  block: number
  index: number
  item: number
  time: number | null
  kind: AssetKind
  token: Address
  id: string | null
  amount: string
  isListed: boolean
}

/** Symbols and decimals that transferred tokens' contracts claim. */
export type Claims = readonly ({ address: Address } & TokenMetadata)[]

/**
 * Transfers on a network, newest first. `looked` is the block range that was searched for `accounts`, null before the
 * first search. `isCut` is true if older transfers were dropped because of the limit.
 */
export type Arrivals = {
  looked: Looked | null
  accounts: readonly Address[]
  transfers: readonly Incoming[]
  tokens: Claims
  isCut: boolean
  /** Newest block, by account in lower case, whose transfers the user has seen. Absent in earlier versions' values. */
  seen?: Readonly<Record<string, number>>
  /** Received coins. Absent in earlier versions' values. */
  coins?: Coins
}

export type IncomingStore = {
  /** Returns a network's transfers. Empty while the wallet is locked. */
  of(chainId: number): Promise<Arrivals>
  /** Throws 4100 while locked. */
  update(chainId: number, change: (arrivals: Arrivals) => Arrivals): Promise<Arrivals>
  /** Deletes all transfers on a network that was reset. */
  forget(chainId: number): Promise<void>
}

/** Maximum number of transfers per network, and for all networks together. */
export const MAX_PER_NETWORK = 500
export const MAX_INCOMING = 4_000
/** Maximum number of items kept per log. */
export const MAX_LOG_ITEMS = 20

const NAME = 'incoming-transfers'
const NOTHING: Arrivals = { looked: null, accounts: [], transfers: [], tokens: [], isCut: false }

const byPlace = (one: Incoming, other: Incoming): number =>
  other.block - one.block || other.index - one.index || one.item - other.item

/** Ranks a transfer for dropping: transfers of amount 0 go first, listed tokens' transfers last. */
const rankOf = ({ isListed, amount }: Incoming): number => {
  if (amount === '0') return 0
  return isListed ? 2 : 1
}

/** Drops transfers beyond `most`: lowest rank first, then oldest first. */
const withinBound = (arrivals: Arrivals, most: number): Arrivals => {
  const { transfers } = arrivals
  if (transfers.length <= most) return arrivals
  const ranked = transfers.toSorted((one, other) => rankOf(other) - rankOf(one) || byPlace(one, other))
  return { ...arrivals, transfers: ranked.slice(0, most).toSorted(byPlace), isCut: true }
}

const isKept = (kind: SightedMove['kind']): kind is AssetKind => kind !== 'native'

const incomingOf = (
  { mined, token, kind, from, to, id, amount }: SightedMove,
  item: number,
  listed: readonly string[],
): Incoming[] => {
  if (mined === null || token === null || !isKept(kind) || item >= MAX_LOG_ITEMS) return []
  return [
    {
      ...mined,
      item,
      kind,
      account: to as Address,
      from: from as Address,
      token: token as Address,
      id: id === null ? null : String(id),
      amount: String(amount),
      isListed: listed.some(other => sameAddress(other, token)),
    },
  ]
}

const readIncoming = (moves: readonly SightedMove[], listed: readonly string[]): Incoming[] => {
  const seen = new Map<string, number>()
  return moves.flatMap(move => {
    const log = `${move.mined?.block} ${move.mined?.index}`
    const item = seen.get(log) ?? 0
    seen.set(log, item + 1)
    return incomingOf(move, item, listed)
  })
}

const isIn = (looked: Looked | null, block: number): boolean =>
  looked !== null && looked.from <= block && block <= looked.to

/**
 * Adds what a search found in the newly searched blocks of `looked`. Replaces earlier transfers in these blocks,
 * because a chain can replace its newest blocks. `listed` are the user's tokens.
 */
export const withSighting = (arrivals: Arrivals, { moves, looked }: Sighting, listed: readonly string[]): Arrivals => {
  const isSearched = ({ block }: Incoming) => isIn(looked, block) && !isIn(arrivals.looked, block)
  const known = arrivals.transfers.filter(one => !isSearched(one))
  const found = readIncoming(moves, listed).filter(isSearched)
  return withinBound({ ...arrivals, looked, transfers: [...known, ...found].toSorted(byPlace) }, MAX_PER_NETWORK)
}

/** Adds block times and token claims, and drops claims of tokens without transfers. */
export const withFacts = (arrivals: Arrivals, times: ReadonlyMap<bigint, number>, claims: Claims): Arrivals => ({
  ...arrivals,
  transfers: arrivals.transfers.map(one => ({ ...one, time: one.time ?? times.get(BigInt(one.block)) ?? null })),
  tokens: [...arrivals.tokens, ...claims].filter(({ address }) =>
    arrivals.transfers.some(({ token }) => sameAddress(token, address)),
  ),
})

/** Records that the user has seen an account's transfers in the searched blocks. */
export const withSeen = (arrivals: Arrivals, account: Address): Arrivals => {
  const { looked, seen = {} } = arrivals
  const key = account.toLowerCase()
  return looked === null || seen[key] === looked.to ? arrivals : { ...arrivals, seen: { ...seen, [key]: looked.to } }
}

/** Returns an account's transfers that the user has not seen. None before the account was first searched. */
export const unseenOf = ({ transfers, seen = {} }: Arrivals, account: Address): readonly Incoming[] => {
  const until = seen[account.toLowerCase()]
  if (until === undefined) return []
  return transfers.filter(one => one.block > until && sameAddress(one.account, account))
}

export const createIncoming = (sealing: Sealing): IncomingStore => {
  const cell = createSealedCell<Readonly<Record<string, Arrivals>>>({ ...sealing, name: NAME, initial: () => ({}) })
  return {
    of: async chainId => (await cell.read())?.[chainId] ?? NOTHING,
    update: async (chainId, change) => {
      const all = await cell.update(known => {
        const changed: Readonly<Record<string, Arrivals>> = {
          ...known,
          [chainId]: change(known[chainId] ?? NOTHING),
        }
        const share = Math.floor(MAX_INCOMING / Object.keys(changed).length)
        return Object.fromEntries(Object.entries(changed).map(([key, one]) => [key, withinBound(one, share)]))
      })
      return all[chainId] ?? NOTHING
    },
    forget: async chainId => {
      await cell.update(known => Object.fromEntries(Object.entries(known).filter(([key]) => key !== String(chainId))))
    },
  }
}
