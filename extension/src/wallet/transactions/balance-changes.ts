/** Computes an account's balance changes from a simulation's transfers, and describes them for pages. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { BalanceChangeView, SimulationView } from '../../messages.ts'
import type { Context } from '../requests/context.ts'
import { readBalances, readToken, type TokenMetadata } from '../tokens/token-contracts.ts'
import type { Move } from '../tokens/token-moves.ts'
import { plainDecimals, plainSymbol } from '../tokens/tokens.ts'

export type SimulationParts = Pick<Context, 'chain' | 'network'> & { assets: Pick<Context['assets'], 'list'> }

/** Maximum number of balance changes shown, and of tokens whose metadata and balances are read. */
export const MAX_CHANGES = 30
const MAX_TOKENS = 8
const MAX_PARTIES = 4

/**
 * `own` are the transfers of the transactions' own values. They are summed up separately from `others`: a contract that
 * pays back in a simulation must not hide what leaves the account.
 */
export type Moves = { own: readonly Move[]; others: readonly Move[] }

/** `amount` is negative for an outgoing change. */
export type Change = Pick<Move, 'kind' | 'token' | 'id'> & {
  isOwn: boolean
  amount: bigint
  parties: readonly string[]
}

type Sum = Pick<Move, 'kind' | 'token' | 'id'> & { amount: bigint; recipients: Set<string>; senders: Set<string> }

const sumUp = (moves: readonly Move[], account: string, isOwn: boolean): Change[] => {
  const sums = new Map<string, Sum>()
  for (const { kind, token, id, from, to, amount } of moves) {
    const [isOut, isIn] = [sameAddress(from, account), sameAddress(to, account)]
    if (isOut === isIn) continue
    const key = `${kind} ${token} ${id}`
    const sum = sums.get(key) ?? { kind, token, id, amount: 0n, recipients: new Set(), senders: new Set() }
    sums.set(key, sum)
    sum.amount += isIn ? amount : -amount
    if (isOut) sum.recipients.add(to.toLowerCase())
    else sum.senders.add(from.toLowerCase())
  }
  return [...sums.values()]
    .filter(({ amount }) => amount !== 0n)
    .map(({ recipients, senders, ...sum }) => ({
      ...sum,
      isOwn,
      parties: [...(sum.amount < 0n ? recipients : senders)],
    }))
}

const nativeFirst = (changes: readonly Change[]): Change[] => [
  ...changes.filter(({ kind }) => kind === 'native'),
  ...changes.filter(({ kind }) => kind !== 'native'),
]

/** Returns an account's net balance changes: outgoing ones first, and native currency before tokens. */
export const changesOf = ({ own, others }: Moves, account: string): Change[] => {
  const all = [...sumUp(own, account, true), ...sumUp(others, account, false)]
  return [
    ...nativeFirst(all.filter(({ amount }) => amount < 0n)),
    ...nativeFirst(all.filter(({ amount }) => amount > 0n)),
  ]
}

const keyOf = ({ isOwn, kind, token, id }: Change): string => `${isOwn} ${kind} ${token} ${id}`

const TOLERANCE = 1_000n

/** True for amounts of the same sign that differ by less than a thousandth. */
const isClose = (a: bigint, b: bigint): boolean => {
  if (a < 0n !== b < 0n) return false
  const [first, second] = [a < 0n ? -a : a, b < 0n ? -b : b]
  const [least, most] = first < second ? [first, second] : [second, first]
  return (most - least) * TOLERANCE < most
}

/** True if both simulations change the same balances by about the same amounts. */
export const areAlike = (first: readonly Change[], second: readonly Change[]): boolean => {
  const amounts = new Map(second.map(change => [keyOf(change), change.amount]))
  return (
    first.length === second.length && first.every(change => isClose(change.amount, amounts.get(keyOf(change)) ?? 0n))
  )
}

/**
 * Reads the tokens' metadata, from the user's list or from the contracts. Tokens come before items, which have no
 * decimals.
 */
const factsOf = async ({ chain, network, assets }: SimulationParts, changes: readonly Change[]) => {
  const own = (await assets.list()).filter(({ chainId }) => chainId === network.chainId)
  const facts = new Map<string | null, TokenMetadata>(own.map(asset => [asset.address, asset]))
  const sorted = [...changes.filter(({ kind }) => kind === 'erc20'), ...changes]
  const others = new Set(sorted.flatMap(({ token }) => (token === null || facts.has(token) ? [] : [token])))
  const reads = [...others].slice(0, MAX_TOKENS).map(async token => {
    facts.set(token, await readToken(chain, network, token as Hex))
  })
  await Promise.all(reads)
  return facts
}

/** Reads the account's balances of outgoing tokens, by address. Empty if the node does not answer. */
const heldOf = async (
  { chain, network }: SimulationParts,
  account: Address,
  changes: readonly Change[],
): Promise<ReadonlyMap<string | null, string | null>> => {
  const outgoing = changes.filter(({ kind, amount }) => kind === 'erc20' && amount < 0n)
  const tokens = outgoing.flatMap(({ token }) => token ?? []).slice(0, MAX_TOKENS)
  try {
    const holders = tokens.map(token => ({ address: token as Address, kind: 'erc20' as const, ids: [] }))
    const balances = await readBalances({ chain, network, account }, holders)
    return new Map(tokens.map((token, at) => [token, balances[at] ?? null]))
  } catch {
    return new Map()
  }
}

/** Returns the addresses in EIP-55 form. Malformed addresses from the node are left out. */
const partiesOf = ({ parties }: Change): string[] =>
  parties
    .flatMap(party => {
      try {
        return [toAddress(party)]
      } catch {
        return []
      }
    })
    .slice(0, MAX_PARTIES)

/** The account, and its native balance in wei before the transaction. */
export type Holding = { account: Address; balance: bigint }

/** Describes the changes for pages, with the tokens' metadata and balances. */
export const describeChanges = async (
  parts: SimulationParts,
  all: readonly Change[],
  { account, balance }: Holding,
): Promise<Pick<SimulationView, 'changes' | 'hidden'>> => {
  const changes = all.slice(0, MAX_CHANGES)
  const [facts, balances] = await Promise.all([factsOf(parts, changes), heldOf(parts, account, changes)])
  const heldBefore = ({ kind, token }: Change): string | null => {
    if (kind === 'native') return encodeQuantity(balance)
    const held = kind === 'erc20' ? balances.get(token) : null
    return held == null ? null : encodeQuantity(BigInt(held))
  }
  const views = changes.map((change): BalanceChangeView => {
    const { kind, token, id, amount } = change
    return {
      kind,
      token,
      id: id === null ? null : encodeQuantity(id),
      direction: amount < 0n ? 'out' : 'in',
      amount: encodeQuantity(amount < 0n ? -amount : amount),
      symbol: plainSymbol(facts.get(token)?.symbol ?? null),
      decimals: kind === 'erc20' ? plainDecimals(facts.get(token)?.decimals ?? null) : null,
      parties: partiesOf(change),
      held: heldBefore(change),
    }
  })
  return { changes: views, hidden: all.length - changes.length }
}
