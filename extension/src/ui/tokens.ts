/** Tokens and amounts of them as a person reads them. What a contract says of itself stands in quotes. */
import type { RequestView, TokenAct, TokenView } from '../messages.ts'
import { formatBalance, formatExact, withUnit } from './numbers.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'

const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

export const findToken = (tokens: readonly TokenView[], address: string): TokenView | undefined =>
  tokens.find(token => sameAddress(token.address, address))

/** What a token is called: plainly where the person listed it, in quotes where only its contract says so; else nothing. */
export const tokenName = (token: TokenView | undefined): string => {
  if (!token || token.symbol === null) return ''
  return token.listed ? token.symbol : text('quoted', cutName(token.symbol))
}

/** "250 USDC", every digit; undefined where the contract did not say how its amounts are written. */
export const tokenAmount = (amount: string, token: TokenView | undefined): string | undefined =>
  token?.symbol == null || token.decimals === null
    ? undefined
    : withUnit(formatExact(BigInt(amount), token.decimals), tokenName(token))

/** What the account holds, as balances are written; undefined where that is not known. */
export const heldOf = (token: TokenView | undefined): string | undefined =>
  token?.symbol == null || token.decimals === null || token.balance === null
    ? undefined
    : withUnit(formatBalance(BigInt(token.balance), token.decimals), tokenName(token))

/** The acts of a request and what is known of their tokens. */
export const tokensOf = (
  effect: RequestView['effect'],
): { acts: readonly TokenAct[]; tokens: readonly TokenView[] } => {
  if (effect.kind === 'transaction' || effect.kind === 'typedData') return effect
  if (effect.kind !== 'calls') return { acts: [], tokens: [] }
  return {
    acts: effect.calls.flatMap(({ acts }) => acts),
    tokens: effect.calls.flatMap(({ tokens }) => tokens),
  }
}

/** Permits end at a point in time; one that lies beyond what a date can be has no end. */
const LATEST = 8_640_000_000_000n

/** ms since 1970 of an end in seconds; null for none. */
export const endOf = (until: string | null): number | null =>
  until === null || BigInt(until) > LATEST ? null : Number(until) * 1000
