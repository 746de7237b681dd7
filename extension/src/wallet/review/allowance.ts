/** Lets the user change an allowance's amount before signing. */
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import type { Effect, Finding, FindingName, TransactionEffect } from '../../messages.ts'
import type { FilledTransaction } from '../fees/filled.ts'
import { valueError } from '../text/errors.ts'
import { withItems } from './allowances.ts'
import { readCall, viewOfCall } from './call.ts'

const APPROVE = 'approve(address,uint256)'
const APPROVE_SELECTOR = '095ea7b3'
/** Number of hex digits in an ABI word. */
const WORD = 64

type DecodedCall = { signature: string; args: readonly { name: string; value: unknown }[] }

/** Returns the amount that a plain `approve` call requests. Null for other calls, whose amounts cannot be changed. */
export const limitOf = (call: DecodedCall | null): TransactionEffect['limit'] => {
  if (call?.signature !== APPROVE) return null
  return { asked: String(call.args.find(({ name }) => name === 'value')?.value), changed: false }
}

const wordOf = (hex: string) => hex.slice(2).toLowerCase().padStart(WORD, '0')
const dataOf = (spender: string, amount: bigint): Hex =>
  `0x${APPROVE_SELECTOR}${wordOf(spender)}${wordOf(encodeQuantity(amount))}`

/** Findings about the site's encoding. They are removed, because the wallet encodes the changed call itself. */
const REPLACED: readonly FindingName[] = ['unusualEncoding']

type Reviewed = { payload: unknown; effect: Effect; findings: readonly Finding[] }

/**
 * Returns the request with another amount, in canonical encoding. Null restores the requested amount. Returns undefined
 * if the request has no changeable allowance. Throws `ValueError` if `wanted` is not a decimal uint256.
 */
export const withAllowance = ({ payload, effect, findings }: Reviewed, wanted: string | null): Reviewed | undefined => {
  if (effect.kind !== 'transaction' || effect.limit === null) return undefined
  const amount = wanted ?? effect.limit.asked
  if (!/^\d{1,78}$/.test(amount) || BigInt(amount) >> 256n !== 0n)
    throw valueError('notAmount', { value: amount.slice(0, 80) })
  const act = effect.acts.find(({ kind }) => kind === 'allow')
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
    findings: [...read.findings, ...findings.filter(({ name }) => !REPLACED.includes(name))],
  }
}

/** Keeps the amount that the site requested when a transaction with a changed amount is reviewed again. */
export const withLimitOf = (before: Effect, now: Effect): Effect => {
  if (before.kind !== 'transaction' || now.kind !== 'transaction' || !before.limit || !now.limit) return now
  const { asked } = before.limit
  return { ...now, limit: { asked, changed: now.limit.asked !== asked } }
}
