/** An allowance that the person bounds before it is signed: the same call with another amount. */
import { fromQuantity, type Hex, ValueError } from '@heliograph/shared/evm/hex'
import type { Effect, Finding, FindingName, TransactionEffect } from '../../messages.ts'
import type { FilledTransaction } from '../transactions/transaction.ts'
import { findingsOfActs, withItems } from './act-findings.ts'
import { readCall, viewOfCall } from './call.ts'

const APPROVE = 'approve(address,uint256)'
const APPROVE_SELECTOR = '095ea7b3'
/** Hex digits of a word. */
const WORD = 64

type Call = { signature: string; args: readonly { name: string; value: unknown }[] } | null

/** What the site asked for, where it can be changed: in a call that does nothing else. */
export const limitOf = (call: Call): TransactionEffect['limit'] => {
  if (call?.signature !== APPROVE) return null
  return { asked: String(call.args.find(({ name }) => name === 'value')?.value), changed: false }
}

const wordOf = (hex: string) => hex.slice(2).toLowerCase().padStart(WORD, '0')
const dataOf = (spender: string, amount: bigint): Hex =>
  `0x${APPROVE_SELECTOR}${wordOf(spender)}${wordOf(fromQuantity(amount))}`

/** Findings that a change of the amount makes anew. */
const REPLACED: readonly FindingName[] = ['unlimitedAllowance', 'unusualEncoding']

type Reviewed = { payload: unknown; effect: Effect; findings: readonly Finding[] }

/** The request with another amount, in the usual encoding; undefined where it has no allowance to change. Throws ValueError for no amount. */
export const withAllowance = ({ payload, effect, findings }: Reviewed, wanted: string | null): Reviewed | undefined => {
  if (effect.kind !== 'transaction' || effect.limit === null) return undefined
  const amount = wanted ?? effect.limit.asked
  if (!/^\d{1,78}$/.test(amount) || BigInt(amount) >> 256n !== 0n)
    throw new ValueError(`amount: ${amount.slice(0, 80)} is not an amount of 256 bits`)
  const [act] = effect.acts
  if (act?.kind !== 'allow') return undefined
  const data = dataOf(act.spender, BigInt(amount))
  const transaction: FilledTransaction = { ...(payload as FilledTransaction), data }
  const read = readCall({ from: transaction.from, to: effect.to, data })
  const acts = withItems(read.acts, effect.tokens)
  return {
    payload: transaction,
    effect: {
      ...effect,
      data,
      call: viewOfCall(read),
      acts,
      limit: { ...effect.limit, changed: amount !== effect.limit.asked },
    },
    findings: [
      ...findingsOfActs(acts, effect.tokens),
      ...read.findings,
      ...findings.filter(({ name }) => !REPLACED.includes(name)),
    ],
  }
}

/** What a transaction will do, reviewed anew: what the site asked for is what it asked for before. */
export const withLimitOf = (before: Effect, now: Effect): Effect => {
  if (before.kind !== 'transaction' || now.kind !== 'transaction' || !before.limit || !now.limit) return now
  const { asked } = before.limit
  return { ...now, limit: { asked, changed: now.limit.asked !== asked } }
}
