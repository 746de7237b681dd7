/** What is found of acts with tokens, measured against what is known of these tokens. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { Finding, TokenAct, TokenView } from '../../messages.ts'
import { isUnlimited } from './amounts.ts'
import { finding, once } from './findings.ts'

/** Allowances of one request that are measured; more are a danger. One that is set to nothing does not count. */
export const MAX_ALLOWANCES = 32

type Allow = TokenAct & { kind: 'allow' }

const findToken = (tokens: readonly TokenView[], address: string): TokenView | undefined =>
  tokens.find(token => sameAddress(token.address, address))

/** `approve` of a collection names an item. One through Permit2 has an end, and is for every item up to its amount. */
const isOfItem = (act: Allow, tokens: readonly TokenView[]): boolean =>
  act.until === null && !act.adds && findToken(tokens, act.token)?.collection === true

/** The allowances of a request, together for each token and spender. */
const grouped = (acts: readonly TokenAct[], tokens: readonly TokenView[]): Allow[][] => {
  const groups = new Map<string, Allow[]>()
  for (const act of acts) {
    if (act.kind !== 'allow' || act.amount === '0' || isOfItem(act, tokens)) continue
    const key = `${act.token} ${act.spender}`.toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), act])
  }
  return [...groups.values()]
}

/** What a spender may take after these allowances, at most; null for all there is. */
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
  // An order that gives something and brings the account nothing is no exchange.
  if (act.kind === 'order' && act.gets.every(({ amount }) => amount === '0')) return [finding('danger', 'emptyOrder')]
  return []
}

/** `tokens` is what is known of the tokens, for the account whose acts these are. */
export const findingsOfActs = (acts: readonly TokenAct[], tokens: readonly TokenView[]): Finding[] =>
  once([...findingsOfAllowances(acts, tokens), ...acts.flatMap(findingsOfAct)])

/** The acts, with the number of an item in place of a large amount. */
export const withItems = (acts: readonly TokenAct[], tokens: readonly TokenView[]): readonly TokenAct[] =>
  acts.map(act => {
    if (act.kind !== 'allow' || act.asked === undefined) return act
    const { asked, ...allow } = act
    return isOfItem(act, tokens) ? { ...allow, amount: asked } : act
  })
