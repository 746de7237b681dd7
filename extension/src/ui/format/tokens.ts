/** Formats tokens, amounts and allowances. Names that only the contract claims are in quotes. */
import type {
  Act,
  ActivityStatus,
  ActivityView,
  AllowanceView,
  RequestView,
  TokenAct,
  TokenView,
} from '../../messages.ts'
import { sameAddress } from './address.ts'
import { formatBalance, formatExact, withUnit } from './numbers.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

export const findToken = (tokens: readonly TokenView[], address: string): TokenView | undefined =>
  tokens.find(token => sameAddress(token.address, address))

/**
 * Returns the token's name: plain if the user listed it, in quotes if only its contract claims it, empty if unknown.
 */
export const tokenName = (token: TokenView | undefined): string => {
  if (!token || token.symbol === null) return ''
  const name = cutName(token.symbol)
  return token.listed ? name : text('quoted', name)
}

/** Formats an amount as "250 USDC", with every digit; undefined if the decimals are unknown. */
export const tokenAmount = (amount: string, token: TokenView | undefined): string | undefined =>
  token?.symbol == null || token.decimals === null
    ? undefined
    : withUnit(formatExact(BigInt(amount), token.decimals), tokenName(token))

/** Maximum digits shown of an amount with unknown decimals. Longer amounts are elided in the middle. */
const MOST_DIGITS = 24

export const shortNumber = (digits: string): string =>
  digits.length <= MOST_DIGITS ? digits : `${digits.slice(0, MOST_DIGITS / 2)}…${digits.slice(-4)}`

/** Formats an amount with unknown decimals, in a way that cannot be mistaken for whole tokens. */
export const inSmallestUnits = (amount: string): string => text('smallestUnits', shortNumber(amount))

/** Returns the account's balance of the token, formatted; undefined if unknown. */
export const heldOf = (token: TokenView | undefined): string | undefined =>
  token?.symbol == null || token.decimals === null || token.balance === null
    ? undefined
    : withUnit(formatBalance(BigInt(token.balance), token.decimals), tokenName(token))

/** Returns the acts on tokens, without rights, gains and calls. */
export const tokenActsIn = (acts: readonly Act[]): TokenAct[] =>
  acts.filter(act => act.kind === 'order' || 'token' in act)

/** Returns a request's token acts, and the known facts about their tokens. */
export const tokensOf = (
  effect: RequestView['effect'],
): { acts: readonly TokenAct[]; tokens: readonly TokenView[] } => {
  if (effect.kind === 'transaction' || effect.kind === 'typedData')
    return { acts: tokenActsIn(effect.acts), tokens: effect.tokens }
  if (effect.kind !== 'calls') return { acts: [], tokens: [] }
  return {
    acts: effect.calls.flatMap(({ acts }) => tokenActsIn(acts)),
    tokens: effect.calls.flatMap(({ tokens }) => tokens),
  }
}

/** The latest time of a Date, in seconds. A permit that expires later has no expiry in practice. */
const LATEST = 8_640_000_000_000n

/** Converts an expiry from seconds to ms; null for none. */
export const endOf = (until: string | null): number | null =>
  until === null || BigInt(until) > LATEST ? null : Number(until) * 1000

/**
 * Returns the initial limit of an allowance in smallest units: the requested amount or the balance, whichever is less.
 */
export const firstLimit = (asked: string, held: string | null): string | undefined => {
  if (held === null || held === '0') return undefined
  return BigInt(asked) < BigInt(held) ? asked : held
}

/** Returns the token's name, in quotes if only its contract vouches for it. */
export const allowedToken = ({ token }: Pick<AllowanceView, 'token'>): string =>
  tokenName(token) || text('unnamedToken')

/** Formats an amount: "250 USDC", "Unlimited", "All items", "Item 12". */
export const allowedAmount = ({ kind, token, amount, item }: AllowanceView): string => {
  if (kind === 'collection') return text('allItems')
  if (kind === 'item') return text('itemNumber', shortNumber(item ?? ''))
  if (amount === null) return text('unlimited')
  return tokenAmount(amount, token) ?? inSmallestUnits(amount)
}

type Sent = Pick<ActivityView, 'hash' | 'status' | 'purpose' | 'replacedBy'>

/**
 * Returns the status of a revocation, or of the transaction that sped it up. Null if it is unknown, or if an unrelated
 * transaction replaced the revocation, so that nothing was revoked.
 */
export const revocationStatus = (activity: readonly Sent[], hash: string | undefined): ActivityStatus | null => {
  const sent = activity.find(one => one.hash === hash)
  if (sent?.status !== 'replaced') return sent?.status ?? null
  const follower = activity.find(one => one.hash === sent.replacedBy)
  return follower?.purpose === 'speedUp' ? follower.status : null
}
