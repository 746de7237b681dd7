/** Checks what a review learned from the node, by comparison with another node of the user: see networks/compare.ts. */
import { EMPTY_CODE_HASH } from '@heliograph/shared/evm/account-proof'
import { type Address, isAddress, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { AddressFacts, ChecksView, Finding, NoncesView, TokenView } from '../../messages.ts'
import { judgeComparison } from '../networks/checked.ts'
import { type Comparison, compareFacts, type Told } from '../networks/compare.ts'
import {
  allowanceFact,
  balanceFact,
  codeFact,
  type Fact,
  hasCode,
  nonceFact,
  tokenBalanceFact,
} from '../networks/facts.ts'
import type { Context } from '../requests/context.ts'
import { type Addressed, addressesToCheck } from './address-checks.ts'

/** Maximum number of addresses, and of tokens, that are compared for a request. The most important ones come first. */
const MOST_CODES = 8
const MOST_TOKENS = 4

/** Shown instead of a hash for code that the review only knows to exist. */
const SOME_CODE = 'code'

/** What a review shows of the facts. Absent for what it does not know. */
export type ShownFacts = {
  balance?: string
  nonces?: NoncesView | null
  facts: AddressFacts
  tokens: readonly TokenView[]
}

const plain = (address: string): Address => toAddress(address.toLowerCase())

const distinct = (addresses: readonly string[]): Address[] => [...new Set(addresses.filter(isAddress).map(plain))]

const factsOf = (requests: readonly Addressed[], purpose: 'pays' | 'signs'): readonly Fact[] => {
  const [account] = requests.map(request => request.account)
  if (account === undefined) return []
  const acts = requests.flatMap(request => request.acts)
  const tokens = distinct(acts.flatMap(act => ('token' in act ? [act.token] : [])))
  const increases = acts.flatMap(act =>
    act.kind === 'allow' && act.adds && [act.token, act.spender].every(isAddress) ? [act] : [],
  )
  const codes = distinct(addressesToCheck(requests)).filter(address => !sameAddress(address, account))
  return [
    ...(purpose === 'pays' ? [balanceFact(account), nonceFact(account)] : []),
    ...codes.slice(0, MOST_CODES).map(codeFact),
    ...tokens.slice(0, MOST_TOKENS).map(token => tokenBalanceFact(token, account)),
    ...increases
      .slice(0, MOST_TOKENS)
      .map(({ token, spender }) => allowanceFact(plain(token), account, plain(spender))),
  ]
}

/** Starts to compare what a request's review needs. A signature alone needs neither balance nor nonce. Never rejects. */
export const compareFor = async (
  { chain, network }: Pick<Context, 'chain' | 'network'>,
  requests: readonly Addressed[],
  purpose: 'pays' | 'signs',
): Promise<Comparison | null> => compareFacts(chain, network, factsOf(requests, purpose))

const shownCode = ({ withCode, withoutCode }: AddressFacts, about: string, value: string): string | null => {
  const isIn = (list: readonly string[]) => list.some(address => sameAddress(address, about))
  if (hasCode(value)) return isIn(withoutCode) ? EMPTY_CODE_HASH : null
  return isIn(withCode) ? SOME_CODE : null
}

/** Returns what the review shows instead of a value, or null. */
const shownInstead =
  ({ balance, nonces, facts, tokens }: ShownFacts) =>
  ({ fact: { name, about } }: Told, value: string): string | null => {
    const unless = (shown: string | null | undefined) => (shown == null || shown === value ? null : shown)
    const token = tokens.find(({ address }) => sameAddress(address, about))
    if (name === 'code') return shownCode(facts, about, value)
    if (name === 'balance') return unless(balance && String(decodeQuantity(balance)))
    if (name === 'nonce') return unless(nonces && String(decodeQuantity(nonces.used)))
    if (name === 'tokenBalance') return unless(token?.balance)
    const allowed = token?.allowed ?? []
    return allowed.some(({ amount }) => amount === value) ? null : unless(allowed[0]?.amount)
  }

/** Judges the comparison. Without one, nothing is added to the review. */
export const checkedFacts = (
  comparison: Comparison | null,
  shown: ShownFacts,
): { checked?: ChecksView; findings: readonly Finding[] } => {
  if (comparison === null) return { findings: [] }
  const { view, findings } = judgeComparison(comparison, shownInstead(shown))
  return { checked: view, findings }
}
