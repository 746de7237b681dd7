/**
 * Tokens and collections found in transfers to an account. They are only suggested, not trusted, because anyone can
 * send spam tokens. The list is encrypted, because it reveals an account's holdings.
 */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import type { AssetKind } from '../../messages.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import type { Looked } from '../networks/log-search.ts'
import type { Move } from './token-moves.ts'

/**
 * `symbol` and `decimals` come from the contract, null if it did not answer. `ids` are the known ids of a collection's
 * items. `choice` is null until the user decides.
 */
export type FoundToken = {
  address: Address
  kind: AssetKind
  ids: readonly string[]
  symbol: string | null
  decimals: number | null
  choice: 'shown' | 'hidden' | null
}

/** An account's found tokens on a network. `looked` is null before the first search. */
export type Finds = { looked: Looked | null; tokens: readonly FoundToken[] }

export type Owner = { chainId: number; account: Address }

export type Found = {
  /** Returns an owner's finds. Empty while the wallet is locked. */
  of(owner: Owner): Promise<Finds>
  /** Returns the finds of all owners. Empty while the wallet is locked. */
  all(): Promise<readonly (Owner & Finds)[]>
  /** Throws 4100 while locked. */
  update(owner: Owner, change: (finds: Finds) => Finds): Promise<Finds>
  /** Deletes all finds on a network that was reset. */
  forget(chainId: number): Promise<void>
}

/** Limits, because spam is unbounded: tokens per account, item ids per collection, and tokens of all accounts. */
export const MAX_FOUND = 300
export const MAX_ITEMS = 50
export const MAX_ALL = 1_000

const NAME = 'found-tokens'
const NOTHING: Finds = { looked: null, tokens: [] }

const keyOf = ({ chainId, account }: Owner): string => `${chainId} ${account.toLowerCase()}`

const ownerOf = (key: string): Owner => {
  const [chainId = '', account = ''] = key.split(' ')
  return { chainId: Number(chainId), account: toAddress(account) }
}

/** Limits the number of tokens: drops other accounts' undecided tokens, and has those accounts searched again. */
const withinBounds = (all: Readonly<Record<string, Finds>>, changed: string): Readonly<Record<string, Finds>> => {
  const count = Object.values(all).reduce((sum, { tokens }) => sum + tokens.length, 0)
  if (count <= MAX_ALL) return all
  const decided = ([key, finds]: [string, Finds]): [string, Finds] =>
    key === changed
      ? [key, finds]
      : [key, { looked: null, tokens: finds.tokens.filter(({ choice }) => choice !== null) }]
  return Object.fromEntries(Object.entries(all).map(decided))
}

export const createFound = (sealing: Sealing): Found => {
  const cell = createSealedCell<Readonly<Record<string, Finds>>>({ ...sealing, name: NAME, initial: () => ({}) })
  return {
    of: async owner => (await cell.read())?.[keyOf(owner)] ?? NOTHING,
    all: async () => Object.entries((await cell.read()) ?? {}).map(([key, finds]) => ({ ...ownerOf(key), ...finds })),
    update: async (owner, change) => {
      const key = keyOf(owner)
      const all = await cell.update(known => withinBounds({ ...known, [key]: change(known[key] ?? NOTHING) }, key))
      return all[key] ?? NOTHING
    },
    forget: async chainId => {
      await cell.update(known =>
        Object.fromEntries(Object.entries(known).filter(([key]) => !key.startsWith(`${chainId} `))),
      )
    },
  }
}

const isAssetKind = (kind: Move['kind']): kind is AssetKind => kind !== 'native'

/** Adds item ids to a token, up to the limit. */
export const withIds = (
  tokens: readonly FoundToken[],
  token: Pick<FoundToken, 'address'>,
  ids: readonly string[],
): readonly FoundToken[] =>
  tokens.map(one => {
    if (!sameAddress(one.address, token.address)) return one
    const all = [...new Set([...one.ids, ...ids])].slice(0, MAX_ITEMS)
    return all.length === one.ids.length ? one : { ...one, ids: all }
  })

const withMove = (tokens: readonly FoundToken[], { kind, token, id }: Move): readonly FoundToken[] => {
  if (token === null || !isAssetKind(kind)) return tokens
  const ids = id === null ? [] : [String(id)]
  const known = tokens.find(({ address }) => sameAddress(address, token))
  if (!known)
    return tokens.length >= MAX_FOUND
      ? tokens
      : [...tokens, { address: token as Address, kind, ids, symbol: null, decimals: null, choice: null }]
  return withIds(tokens, known, ids)
}

/** Adds the tokens in new transfers. */
export const withMoves = (tokens: readonly FoundToken[], moves: readonly Move[]): readonly FoundToken[] =>
  moves.reduce(withMove, tokens)
