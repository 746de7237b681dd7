/** Combines a request's allowances into the total that each spender may take of each token. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Act, TokenAct, TokenView } from '../../messages.ts'
import { isUnlimited } from './amounts.ts'

type Allow = TokenAct & { kind: 'allow' }

/**
 * `total` is the amount that the spender may take afterwards; null if unlimited. `item` is the id if the allowance is
 * for an item.
 */
export type Allowance = { token: string; spender: string; total: bigint | null; item: string | null }

export const findToken = (tokens: readonly TokenView[], address: string): TokenView | undefined =>
  tokens.find(token => sameAddress(token.address, address))

/**
 * True if the allowance is for one item: the act names its id, or `approve` on a collection gives the id as the amount. A
 * Permit2 allowance, which has an expiry, covers every id up to its amount.
 */
const isOfItem = (act: Allow, tokens: readonly TokenView[]): boolean =>
  act.id !== undefined || (act.until === null && !act.adds && findToken(tokens, act.token)?.collection === true)

/**
 * True for an amount of 0, if the token has decimals or its metadata was not read. For a collection, or a token with
 * unknown decimals, 0 can be an item id.
 */
const isRevocation = ({ token: address, amount }: Allow, tokens: readonly TokenView[]): boolean => {
  const token = findToken(tokens, address)
  return amount === '0' && (token === undefined || (token.decimals ?? 0) > 0)
}

/** Returns the maximum that a spender may take with these allowances. Null if unlimited. */
const totalOf = (group: readonly Allow[], token: TokenView | undefined): bigint | null => {
  const before = group.find(({ adds }) => adds)
  const allowed = before && token?.allowed?.find(({ spender }) => sameAddress(spender, before.spender))
  if (group.some(({ amount }) => amount === null)) return null
  const total = group.reduce((sum, { amount }) => sum + BigInt(amount ?? '0'), BigInt(allowed?.amount ?? '0'))
  return isUnlimited(total, token) ? null : total
}

/** Returns the acts on tokens, without control, gains and calls. */
export const tokenActsIn = (acts: readonly Act[]): TokenAct[] =>
  acts.filter(act => act.kind === 'order' || 'token' in act)

const isAllow = (act: Act): act is Allow => act.kind === 'allow'

/** Groups the allowances by token and spender. Revocations are left out. */
export const allowancesIn = (acts: readonly Act[], tokens: readonly TokenView[]): Allowance[] => {
  const allows = acts.filter(isAllow)
  const ofItems = new Set(allows.filter(act => isOfItem(act, tokens)))
  const groups = new Map<string, Allow[]>()
  for (const act of allows) {
    if (isRevocation(act, tokens) || ofItems.has(act)) continue
    const key = `${act.token} ${act.spender}`.toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), act])
  }
  return [
    ...[...ofItems].map(({ token, spender, amount, asked, id }) => ({
      token,
      spender,
      total: 1n,
      item: id ?? amount ?? asked ?? '',
    })),
    ...[...groups.values()].flatMap(group =>
      group.slice(0, 1).map(({ token, spender }) => ({
        token,
        spender,
        total: totalOf(group, findToken(tokens, token)),
        item: null,
      })),
    ),
  ]
}

/**
 * Converts amounts to item ids where the token is a collection, because tokens and collections have functions with the
 * same signatures.
 */
export const withItems = (acts: readonly Act[], tokens: readonly TokenView[]): readonly Act[] =>
  acts.map(act => {
    if (act.kind === 'transfer' && act.id === null && findToken(tokens, act.token)?.collection === true)
      return { ...act, id: act.amount, amount: '1' }
    if (act.kind !== 'allow' || act.asked === undefined) return act
    const { asked, ...allow } = act
    return isOfItem(act, tokens) ? { ...allow, amount: asked } : act
  })
