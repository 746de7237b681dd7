/** Reviews a nonce against the account's other transactions. */
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { Finding, NoncesView } from '../../messages.ts'
import { finding } from './findings.ts'

type Purpose = 'sign' | 'send'

const NAMES = ['displacesSigned', 'nonceGap', 'nonceUsed', 'replacesPending'] as const

const caution = (name: (typeof NAMES)[number], ...nonces: readonly bigint[]): Finding =>
  finding('caution', name, ...nonces)

/**
 * Reports a used nonce, which blocks sending. If the transaction is only signed, the finding is a caution, because the
 * transaction becomes valid if the chain is reset.
 */
const used = (purpose: Purpose, ...nonces: readonly bigint[]): Finding =>
  finding(purpose === 'send' ? 'blocked' : 'caution', 'nonceUsed', ...nonces)

/** Reviews a nonce. If the site did not specify it, the next one is used. */
export const reviewNonce = (nonce: string | undefined, view: NoncesView, purpose: Purpose): Finding[] => {
  const { next, unsent, pending } = view
  const chosen = nonce ?? next
  const [number, first] = [decodeQuantity(chosen), decodeQuantity(next)]
  if (number < decodeQuantity(view.used)) return [used(purpose, number, first)]
  const isTaken = pending.includes(chosen) || number < first
  return [
    ...(isTaken ? [caution('replacesPending', number)] : []),
    ...(unsent.includes(chosen) ? [caution('displacesSigned', number)] : []),
    ...(number > first ? [caution('nonceGap', number, first)] : []),
  ]
}

/** Reports the first signed, unsent transaction whose nonce a batch reuses. */
export const reviewDisplaced = (displaced: readonly bigint[]): Finding[] =>
  displaced.slice(0, 1).map(nonce => caution('displacesSigned', nonce))

const isSame = (one: Finding, other: Finding) => one.name === other.name && one.values[0] === other.values[0]

/** Replaces the shown nonce findings with the current ones. Null if none of them is new. */
export const withNonceFindings = (shown: readonly Finding[], now: readonly Finding[]): Finding[] | null =>
  now.every(one => shown.some(known => isSame(one, known)))
    ? null
    : [...shown.filter(({ name }) => !NAMES.some(own => own === name)), ...now]
