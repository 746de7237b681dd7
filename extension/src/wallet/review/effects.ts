/**
 * Collects what a request takes from the account, and which changes in a simulation the request's acts explain. Levels
 * are assigned in judge.ts.
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Act, AmountView, BalanceChangeView, Effect, TokenView, TransactionEffect } from '../../messages.ts'
import { findToken } from './allowances.ts'
import { factsIn } from './parties.ts'

/** A call or a signature. `value` is in wei. `hasCode` is true if the call runs code at `to`. */
type Part = Pick<TransactionEffect, 'acts' | 'payments' | 'tokens'> & {
  to: string | null
  value: bigint
  hasCode: boolean
}

export const partsOf = (effect: Effect): Part[] => {
  if (effect.kind === 'calls') return effect.calls.flatMap(partsOf)
  if (effect.kind === 'typedData') return [{ ...effect, to: null, value: 0n, hasCode: false }]
  if (effect.kind !== 'transaction') return []
  return [{ ...effect, value: BigInt(effect.value), hasCode: effect.data !== '0x' }]
}

/** An asset that moves from `from` to `to`. `token` is null for coins, `id` is set for items. */
export type Outgoing = {
  kind: 'coinsForCode' | 'coins' | 'tokens'
  token: string | null
  id: string | null
  from: string
  to: string
  amount: bigint
}

/**
 * Returns who pays. Coins that a contract forwards count as paid by the account if `passesOn` is true for the contract,
 * because the payment to that contract is not judged.
 */
const payerOf = (from: string, { to, value }: Part, account: string, passesOn: (to: string) => boolean): string =>
  to !== null && value > 0n && sameAddress(from, to) && passesOn(to) ? account : from

const outgoingOfPart = (part: Part, account: string, passesOn: (to: string) => boolean): Outgoing[] => {
  const { to, value, hasCode, payments = [], acts } = part
  const coins = { kind: hasCode ? 'coinsForCode' : 'coins', token: null, id: null } as const
  // A new contract has no address yet, so its `to` is empty.
  const own = [{ ...coins, from: account, to: to ?? '', amount: value }]
  const paid = payments.map(({ from, to, value }) => ({
    ...coins,
    kind: 'coins' as const,
    from: payerOf(from, part, account, passesOn),
    to,
    amount: BigInt(value),
  }))
  const moved = acts.flatMap(act =>
    act.kind === 'transfer' ? [{ ...act, kind: 'tokens' as const, amount: BigInt(act.amount) }] : [],
  )
  return [...own, ...paid, ...moved].filter(({ from, to, amount }) => amount > 0n && !sameAddress(from, to))
}

/**
 * Returns everything that leaves the account, or leaves contracts that act on its behalf. `passesOn` tells which
 * contracts forward coins.
 */
export const outgoingOf = (effect: Effect, account: string, passesOn: (to: string) => boolean): Outgoing[] =>
  partsOf(effect).flatMap(part => outgoingOfPart(part, account, passesOn))

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** An owner's asset. */
export type Asset = Pick<Outgoing, 'token' | 'id' | 'from'>

export const assetKey = ({ token, id, from }: Asset): string => `${from} ${token} ${id}`.toLowerCase()

/** Sums the amounts by asset key. */
export const totalsOf = (all: readonly Outgoing[]): ReadonlyMap<string, bigint> => {
  const totals = new Map<string, bigint>()
  for (const one of all) totals.set(assetKey(one), (totals.get(assetKey(one)) ?? 0n) + one.amount)
  return totals
}

export const numberOf = (text: string | null | undefined): bigint | null => (text == null ? null : BigInt(text))

export const balanceOf = (tokens: readonly TokenView[], token: string): bigint | null =>
  numberOf(findToken(tokens, token)?.balance)

/** Returns the asset owner's balance, null if unknown. */
export const heldOf = (
  effect: Effect,
  account: string,
  tokens: readonly TokenView[],
  { token, from }: Asset,
): bigint | null => {
  const isOwn = sameAddress(from, account)
  const safe = factsIn(effect).safes.find(({ address }) => sameAddress(address, from))
  if (token === null) return isOwn && 'balance' in effect ? numberOf(effect.balance) : numberOf(safe?.balance)
  if (isOwn) return balanceOf(tokens, token)
  return numberOf(safe?.held?.find(one => sameAddress(one.token, token))?.amount)
}

/** Returns the amount of a token or an item that an act may take from the account; null if unlimited. */
const saidByAct = (act: Act, account: string, { token, id }: BalanceChangeView): bigint | null => {
  const isIt = (other: string | null) => other !== null && token !== null && sameAddress(other, token)
  const isItem = (other: string | null | undefined) => id === null || other == null || BigInt(other) === BigInt(id)
  switch (act.kind) {
    case 'transfer':
      return isIt(act.token) && sameAddress(act.from, account) && isItem(act.id) ? BigInt(act.amount) : 0n
    case 'allow':
      if (!isIt(act.token) || !isItem(act.id)) return 0n
      return act.amount === null || id !== null ? null : BigInt(act.amount)
    case 'allowAll':
      return isIt(act.token) && act.allowed ? null : 0n
    case 'order':
      return sum(act.gives.filter(given => isIt(given.token) && isItem(given.id)).map(({ amount }) => BigInt(amount)))
    default:
      return 0n
  }
}

/**
 * True if the acts explain the amount moved. Interest and prices change between blocks, so up to a thousandth more is
 * accepted.
 */
const covers = (said: bigint, moved: bigint): boolean => moved * 1_000n <= said * 1_001n

/** Returns the outgoing changes in the simulation that the request does not explain. */
export const unexplainedIn = (effect: Effect, account: string): BalanceChangeView[] => {
  const parts = partsOf(effect)
  const acts = parts.flatMap(part => part.acts)
  const paid = sum(parts.map(({ value }) => value))
  const changes = ('simulation' in effect && effect.simulation?.changes) || []
  const out = changes.filter(({ direction }) => direction === 'out')
  const coins = sum(out.filter(({ kind }) => kind === 'native').map(({ amount }) => BigInt(amount)))
  return out.filter(change => {
    if (change.kind === 'native') return !covers(paid, coins)
    const said = acts.map(act => saidByAct(act, account, change))
    return !said.includes(null) && !covers(sum(said.map(amount => amount ?? 0n)), BigInt(change.amount))
  })
}

/** True for 90 % or more of a known balance. Always false if the balance is zero. */
export const isMost = (amount: bigint, held: bigint | null): boolean =>
  held !== null && held > 0n && amount * 10n >= held * 9n

/** Decimals of coins, and of tokens whose decimals are unknown. */
const USUAL_DECIMALS = 18
/** Amounts up to a ten-thousandth of a token are dust: nobody sells anything for that. */
const DUST = 10n ** 4n

const isDustOf = (amount: bigint, decimals: number): boolean => amount * DUST <= 10n ** BigInt(decimals)

export const isDust = ({ token, id, amount }: AmountView, tokens: readonly TokenView[]): boolean =>
  id === null &&
  isDustOf(BigInt(amount), (token === null ? undefined : findToken(tokens, token)?.decimals) ?? USUAL_DECIMALS)

/** True for a change of dust. False if the decimals are unknown. */
export const isDustChange = ({ kind, amount, decimals }: BalanceChangeView): boolean => {
  const known = kind === 'native' ? USUAL_DECIMALS : kind === 'erc20' ? decimals : null
  return known !== null && isDustOf(BigInt(amount), known)
}

const isSameAsset = (one: AmountView, other: AmountView): boolean =>
  one.id === other.id && (one.token === null ? other.token === null : sameAddress(one.token, other.token ?? ''))

/** Sums one asset's amounts in an order. */
export const amountOf = (asset: AmountView, amounts: readonly AmountView[]): bigint =>
  amounts.filter(other => isSameAsset(asset, other)).reduce((total, { amount }) => total + BigInt(amount), 0n)
