/** Words the amounts of a request, and their share of the account's balance. */
import type { AmountView, BalanceChangeView, TokenAct, TokenView } from '../../messages.ts'
import { formatExact, withUnit } from './numbers.ts'
import { type Asked, partyOf } from './parties.ts'
import { text } from './text.ts'
import { cutName } from './text-safety.ts'
import { findToken, inSmallestUnits, shortNumber, tokenName } from './tokens.ts'

/** Joins texts to a list as usual in the page's language: "a, b and c". */
export const listOf = (items: readonly string[]): string =>
  new Intl.ListFormat(text('language'), { type: 'conjunction' }).format(items)

/** Adds the share of the holding, from 90 % on: "all your 5,000 USDC" or "4.9 ETH, nearly all you have". */
const withShare = (shown: string, amount: bigint, held: bigint | null): string => {
  if (held === null || held === 0n || amount * 10n < held * 9n) return shown
  return text(amount >= held ? 'amount_all' : 'amount_most', shown)
}

const numberOf = (value: string | null | undefined): bigint | null => (value == null ? null : BigInt(value))

/** Words an amount of coins. Amounts are in wei; `held` is the owner's balance. */
export const coins = ({ network }: Asked, wei: bigint, held: string | null | undefined): string =>
  withShare(withUnit(formatExact(wei, network.decimals), network.symbol), wei, numberOf(held))

/** Returns the request's symbols that belong to listed tokens at other addresses. */
const counterfeitsIn = ({ findings = [] }: Asked): readonly string[] =>
  findings.filter(({ name }) => name === 'namesakeAsset').map(({ values }) => values[0] ?? '')

const marked = (asked: Asked, shown: string, symbol: string | null, isListed: boolean): string =>
  symbol !== null && !isListed && counterfeitsIn(asked).includes(symbol)
    ? text('amount_notListed', shown, symbol)
    : shown

/** Returns the name of a token, or a general word. */
export const nameOf = (token: TokenView | undefined): string => tokenName(token) || text('amount_tokens')

/** Names an item of a collection: its protocol, if known, its name, and its token ID. */
export const item = (asked: Asked, address: string, tokens: readonly TokenView[], id: string): string => {
  const { kind, name } = partyOf(asked, address)
  const own = tokenName(findToken(tokens, address))
  const shown = own === '' ? text('amount_item', shortNumber(id)) : `${own} ${shortNumber(id)}`
  return kind === 'known' ? text('party_known', name ?? '', shown) : shown
}

const tokensShown = (token: TokenView | undefined, amount: string): string =>
  token?.decimals == null
    ? inSmallestUnits(amount)
    : withUnit(formatExact(BigInt(amount), token.decimals), nameOf(token))

/** Words an outgoing amount of tokens. `isOwn` compares it with the account's balance. */
export const moved = (
  asked: Asked,
  { token: address, id, amount }: TokenAct & { kind: 'transfer' },
  tokens: readonly TokenView[],
  isOwn: boolean,
): string => {
  const token = findToken(tokens, address)
  if (id !== null) return item(asked, address, tokens, id)
  const shown = marked(asked, tokensShown(token, amount), token?.symbol ?? null, token?.listed === true)
  return withShare(shown, BigInt(amount), isOwn ? numberOf(token?.balance) : null)
}

/** Words the amount on one side of an order. */
export const orderAmount = (
  asked: Asked,
  { token: address, amount, id, ofSet }: AmountView,
  tokens: readonly TokenView[],
  isGiven: boolean,
): string => {
  if (address === null) return coins(asked, BigInt(amount), null)
  const token = findToken(tokens, address)
  if (ofSet) return text('amount_anyOf', nameOf(token))
  if (id !== null) return item(asked, address, tokens, id)
  const shown = marked(asked, tokensShown(token, amount), token?.symbol ?? null, token?.listed === true)
  return withShare(shown, BigInt(amount), isGiven ? numberOf(token?.balance) : null)
}

/** Returns the text of a balance change in a simulation. */
export const changed = (asked: Asked, change: BalanceChangeView, tokens: readonly TokenView[]): string => {
  const { kind, token: address, id, direction, amount, symbol, decimals, held } = change
  if (kind === 'native') return coins(asked, BigInt(amount), direction === 'out' ? held : null)
  const token = findToken(tokens, address ?? '')
  const name = token?.listed ? nameOf(token) : symbol === null ? text('amount_tokens') : text('quoted', cutName(symbol))
  if (id !== null) return `${name} ${shortNumber(String(BigInt(id)))}`
  const digits = decimals === null ? inSmallestUnits(String(BigInt(amount))) : formatExact(BigInt(amount), decimals)
  const shown = marked(asked, withUnit(digits, name), symbol, token?.listed === true)
  return withShare(shown, BigInt(amount), direction === 'out' ? numberOf(held) : null)
}
