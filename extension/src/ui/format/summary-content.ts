/** Collects the effects of all of a request's calls, in the order in which the first line names them. */
import type { Act, BalanceChangeView, TokenView, TransactionEffect } from '../../messages.ts'
import { sameAddress } from './address.ts'
import { changed, coins, listOf, moved } from './amounts.ts'
import { formatCount } from './numbers.ts'
import { type Asked, partyOf } from './parties.ts'
import { text } from './text.ts'
import { findToken } from './tokens.ts'

export type Of<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>
/**
 * An outgoing asset. Coins have their amount in wei, other assets the text to show. `isMost` is true if it is nearly
 * all that the owner has of the asset.
 */
export type Leaving = { from: string; to: string; isCall: boolean; isMost: boolean } & (
  | { wei: bigint }
  | { shown: string }
)

/** The effects of all of a request's calls. */
export type Content = {
  acts: readonly Act[]
  tokens: readonly TokenView[]
  leaving: readonly Leaving[]
  /** The contracts that the request's transactions call. */
  called: readonly string[]
  signatures: readonly string[]
  changes: readonly BalanceChangeView[]
}

export const ofKind = <Kind extends Act['kind']>(acts: readonly Act[], kind: Kind): Of<Kind>[] =>
  acts.filter((act): act is Of<Kind> => act.kind === kind)

const callsOf = ({ effect }: Asked): readonly TransactionEffect[] => {
  if (effect.kind === 'calls') return effect.calls
  return effect.kind === 'transaction' ? [effect] : []
}

const isMost = (amount: bigint, held: string | null | undefined): boolean =>
  held != null && BigInt(held) > 0n && amount * 10n >= BigInt(held) * 9n

const safeAt = ({ effect }: Asked, owner: string) => {
  const safes = ('facts' in effect && effect.facts?.safes) || []
  return safes.find(({ address }) => sameAddress(address, owner))
}

/** Returns the owner's coin balance, in wei as 0x hex. */
const heldOf = (asked: Asked, owner: string): string | null => {
  const { effect, account } = asked
  if (sameAddress(owner, account?.address ?? '')) return ('balance' in effect && effect.balance) || null
  return safeAt(asked, owner)?.balance ?? null
}

const coinsOf = (asked: Asked, from: string, to: string, value: string, isCall: boolean): Leaving => {
  const wei = BigInt(value)
  return { from, to, wei, isCall, isMost: isMost(wei, heldOf(asked, from)) }
}

const leavingOf = (asked: Asked, acts: readonly Act[], tokens: readonly TokenView[]): Leaving[] => {
  const { effect, account } = asked
  const own = account?.address ?? ''
  // A multicall contract forwards the coins that it gets, so its nested payments are listed as the account's, and the
  // payment to it is not.
  const passesOn = ({ to, payments = [] }: TransactionEffect) =>
    to !== null && payments.length > 0 && partyOf(asked, to).role === 'multicall'
  const paid = callsOf(asked).flatMap(call => {
    const { to, value, data } = call
    return BigInt(value) === 0n || passesOn(call) ? [] : [coinsOf(asked, own, to ?? '', value, data !== '0x')]
  })
  const parts = effect.kind === 'typedData' ? [effect] : callsOf(asked)
  const inner = parts.flatMap(part =>
    (part.payments ?? []).map(({ from, to, value, isRefund }): Leaving => {
      const payer = part.kind === 'transaction' && passesOn(part) ? own : from
      const one = coinsOf(asked, payer, to, value, false)
      const { isMost } = one
      return isRefund
        ? { from: payer, to, isCall: false, isMost, shown: text('says_refund', coins(asked, BigInt(value), null)) }
        : one
    }),
  )
  const transfers = ofKind(acts, 'transfer').map((act): Leaving => {
    const isOwn = sameAddress(act.from, own)
    const ofSafe = safeAt(asked, act.from)?.held?.find(one => sameAddress(one.token, act.token))?.amount
    const held = isOwn ? findToken(tokens, act.token)?.balance : ofSafe
    const isMostOfIt = act.id === null && isMost(BigInt(act.amount), held)
    return { from: act.from, to: act.to, shown: moved(asked, act, tokens, isOwn), isCall: false, isMost: isMostOfIt }
  })
  const all = [...paid, ...inner, ...transfers].filter(({ from, to }) => !sameAddress(from, to))
  // The largest shares are named first, so that small ones cannot hide them.
  return [...all.filter(one => one.isMost), ...all.filter(one => !one.isMost)]
}

export const contentOf = (asked: Asked): Content => {
  const { effect } = asked
  const parts = effect.kind === 'typedData' ? [effect] : callsOf(asked)
  const acts = parts.flatMap(part => part.acts)
  const tokens = parts.flatMap(part => part.tokens)
  return {
    acts,
    tokens,
    leaving: leavingOf(asked, acts, tokens),
    called: callsOf(asked).flatMap(({ to, data }) => (to === null || data === '0x' ? [] : [to])),
    signatures: callsOf(asked).flatMap(({ call }) => call?.signature ?? []),
    changes: ('simulation' in effect && effect.simulation?.changes) || [],
  }
}

export const has = ({ findings = [] }: Asked, name: string) => findings.some(found => found.name === name)

/** Maximum parts of a sentence that are named; the others are counted. */
const MOST_PARTS = 3

export const fewOf = (parts: readonly string[]): string =>
  listOf(
    parts.length <= MOST_PARTS + 1
      ? parts
      : [...parts.slice(0, MOST_PARTS), text('says_more', formatCount(parts.length - MOST_PARTS))],
  )

export const sideOf = (asked: Asked, { changes, tokens }: Content, direction: 'out' | 'in'): string =>
  fewOf(changes.filter(change => change.direction === direction).map(change => changed(asked, change, tokens)))

/** Words the outgoing assets. The coins of one owner are summed up. */
export const shownOf = (asked: Asked, leaving: readonly Leaving[]): string => {
  const paid = leaving.flatMap(one => ('wei' in one ? [one] : []))
  const [first] = paid
  const sum = paid.reduce((total, { wei }) => total + wei, 0n)
  return fewOf([
    ...(first ? [coins(asked, sum, heldOf(asked, first.from))] : []),
    ...leaving.flatMap(one => ('shown' in one ? [one.shown] : [])),
  ])
}
