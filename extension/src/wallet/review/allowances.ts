/** The allowances of a request, each with all that it allows a spender to take of a token. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Act, TokenAct, TokenView } from '../../messages.ts'
import { isUnlimited } from './amounts.ts'

type Allow = TokenAct & { kind: 'allow' }

/** `total` is what the spender may take afterwards; null for an unlimited amount. An allowance of an item has its id. */
export type Allowance = { token: string; spender: string; total: bigint | null; item: string | null }

export const findToken = (tokens: readonly TokenView[], address: string): TokenView | undefined =>
  tokens.find(token => sameAddress(token.address, address))

/**
 * `approve` on a collection names a token id. A Permit2 allowance has an expiry, and covers every id up to its amount.
 */
const isOfItem = (act: Allow, tokens: readonly TokenView[]): boolean =>
  act.id !== undefined || (act.until === null && !act.adds && findToken(tokens, act.token)?.collection === true)

/** Only an amount of a token with decimals can be zero: of a collection, or of a token that does not say, 0 can be an id. */
const isRevocation = ({ token: address, amount }: Allow, tokens: readonly TokenView[]): boolean => {
  const token = findToken(tokens, address)
  return amount === '0' && (token === undefined || (token.decimals ?? 0) > 0)
}

/** The most that a spender may take after these allowances; null for an unlimited amount. */
const totalOf = (group: readonly Allow[], token: TokenView | undefined): bigint | null => {
  const before = group.find(({ adds }) => adds)
  const allowed = before && token?.allowed?.find(({ spender }) => sameAddress(spender, before.spender))
  if (group.some(({ amount }) => amount === null)) return null
  const total = group.reduce((sum, { amount }) => sum + BigInt(amount ?? '0'), BigInt(allowed?.amount ?? '0'))
  return isUnlimited(total, token) ? null : total
}

/** The acts on tokens, without rights, gains and calls. */
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

/** Replaces amounts by the token ids that they are, where the token is a collection: its functions have the same names. */
export const withItems = (acts: readonly Act[], tokens: readonly TokenView[]): readonly Act[] =>
  acts.map(act => {
    if (act.kind === 'transfer' && act.id === null && findToken(tokens, act.token)?.collection === true)
      return { ...act, id: act.amount, amount: '1' }
    if (act.kind !== 'allow' || act.asked === undefined) return act
    const { asked, ...allow } = act
    return isOfItem(act, tokens) ? { ...allow, amount: asked } : act
  })
