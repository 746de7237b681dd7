/** Findings about token transfers, allowances and orders, given what is known about the tokens. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Finding, TokenAct, TokenView } from '../../messages.ts'
import { MAX_ALLOWANCES } from '../tokens/tokens.ts'
import { isUnlimited } from './amounts.ts'
import { finding, once } from './findings.ts'

type Allow = TokenAct & { kind: 'allow' }

const findToken = (tokens: readonly TokenView[], address: string): TokenView | undefined =>
  tokens.find(token => sameAddress(token.address, address))

/**
 * `approve` on a collection names a token id. A Permit2 allowance has an expiry, and covers every id up to its amount.
 */
const isOfItem = (act: Allow, tokens: readonly TokenView[]): boolean =>
  act.until === null && !act.adds && findToken(tokens, act.token)?.collection === true

/** The allowances of a request, grouped by token and spender. */
const grouped = (acts: readonly TokenAct[], tokens: readonly TokenView[]): Allow[][] => {
  const groups = new Map<string, Allow[]>()
  for (const act of acts) {
    if (act.kind !== 'allow' || act.amount === '0' || isOfItem(act, tokens)) continue
    const key = `${act.token} ${act.spender}`.toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), act])
  }
  return [...groups.values()]
}

/** The most that a spender may take after these allowances; null for an unlimited amount. */
const totalOf = (group: readonly Allow[], token: TokenView | undefined): bigint | null => {
  const before = group.find(({ adds }) => adds)
  const allowed = before && token?.allowed?.find(({ spender }) => sameAddress(spender, before.spender))
  if (group.some(({ amount }) => amount === null)) return null
  return group.reduce((sum, { amount }) => sum + BigInt(amount ?? '0'), BigInt(allowed?.amount ?? '0'))
}

const findingsOfAllowances = (acts: readonly TokenAct[], tokens: readonly TokenView[]): Finding[] => {
  const groups = grouped(acts, tokens)
  const unlimited = groups.flatMap(group =>
    group.slice(0, 1).flatMap(({ token: address }) => {
      const token = findToken(tokens, address)
      return isUnlimited(totalOf(group, token), token) ? [finding('danger', 'unlimitedAllowance', address)] : []
    }),
  )
  return groups.length > MAX_ALLOWANCES ? [...unlimited, finding('danger', 'tooManyAllowances')] : unlimited
}

const findingsOfAct = (act: TokenAct): Finding[] => {
  if (act.kind === 'allowAll' && act.allowed) return [finding('danger', 'approvalForAll', act.token)]
  if (act.kind === 'transfer' && sameAddress(act.to, act.token)) return [finding('danger', 'sentToToken', act.token)]
  // The account gives tokens and receives nothing.
  if (act.kind === 'order' && act.gets.every(({ amount }) => amount === '0')) return [finding('danger', 'emptyOrder')]
  return []
}

/** `tokens` describes the tokens as the acting account sees them: its balances and allowances. */
export const findingsOfActs = (acts: readonly TokenAct[], tokens: readonly TokenView[]): Finding[] =>
  once([...findingsOfAllowances(acts, tokens), ...acts.flatMap(findingsOfAct)])

/** Replaces an amount that was read as unlimited by the token id that it is, where the token is a collection. */
export const withItems = (acts: readonly TokenAct[], tokens: readonly TokenView[]): readonly TokenAct[] =>
  acts.map(act => {
    if (act.kind !== 'allow' || act.asked === undefined) return act
    const { asked, ...allow } = act
    return isOfItem(act, tokens) ? { ...allow, amount: asked } : act
  })
