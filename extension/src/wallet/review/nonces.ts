/** Reviews a nonce against the account's other transactions. */
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { Finding, NoncesView } from '../../messages.ts'

type Purpose = 'sign' | 'send'

const NAMES = ['displacesSigned', 'nonceGap', 'nonceUsed', 'replacesPending'] as const

const caution = (name: (typeof NAMES)[number], ...nonces: readonly bigint[]): Finding => ({
  level: 'caution',
  name,
  values: nonces.map(String),
})

/** A used nonce cannot be sent. A signature alone is only a caution: it becomes valid if the chain is reset. */
const used = (purpose: Purpose, ...nonces: readonly bigint[]): Finding => ({
  level: purpose === 'send' ? 'blocked' : 'caution',
  name: 'nonceUsed',
  values: nonces.map(String),
})

/** `nonce` is the one that the site specified; if undefined, the next one is used. */
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

/** Reports the first nonce of a signed, unsent transaction that a batch reuses. */
export const reviewDisplaced = (displaced: readonly bigint[]): Finding[] =>
  displaced.slice(0, 1).map(nonce => caution('displacesSigned', nonce))

const isSame = (one: Finding, other: Finding) => one.name === other.name && one.values[0] === other.values[0]

/** Replaces the nonce findings that were shown by the current ones; null if there is no new one. */
export const withNonceFindings = (shown: readonly Finding[], now: readonly Finding[]): Finding[] | null =>
  now.every(finding => shown.some(known => isSame(finding, known)))
    ? null
    : [...shown.filter(({ name }) => !NAMES.some(own => own === name)), ...now]
