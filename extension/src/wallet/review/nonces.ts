/** What a nonce means for the account's other transactions. */
import { toQuantity } from '@heliograph/shared/evm/hex'
import type { Finding, NoncesView } from '../../messages.ts'

type Purpose = 'sign' | 'send'

const NAMES = ['displacesSigned', 'nonceGap', 'nonceUsed', 'replacesPending'] as const

const caution = (name: (typeof NAMES)[number], ...nonces: readonly bigint[]): Finding => ({
  level: 'caution',
  name,
  values: nonces.map(String),
})

/** No network takes a second transaction with a nonce. What is only signed may still be of use on a chain that is reset. */
const used = (purpose: Purpose, ...nonces: readonly bigint[]): Finding => ({
  level: purpose === 'send' ? 'blocked' : 'caution',
  name: 'nonceUsed',
  values: nonces.map(String),
})

/** `nonce` is the one that was named; without one it is the next. */
export const reviewNonce = (nonce: string | undefined, view: NoncesView, purpose: Purpose): Finding[] => {
  const { next, unsent, pending } = view
  const chosen = nonce ?? next
  const [number, first] = [toQuantity(chosen), toQuantity(next)]
  if (number < toQuantity(view.used)) return [used(purpose, number, first)]
  const isTaken = pending.includes(chosen) || number < first
  return [
    ...(isTaken ? [caution('replacesPending', number)] : []),
    ...(unsent.includes(chosen) ? [caution('displacesSigned', number)] : []),
    ...(number > first ? [caution('nonceGap', number, first)] : []),
  ]
}

/** `displaced` are the nonces of signed ones that a batch takes: the first stands for all. */
export const reviewDisplaced = (displaced: readonly bigint[]): Finding[] =>
  displaced.slice(0, 1).map(nonce => caution('displacesSigned', nonce))

const isSame = (one: Finding, other: Finding) => one.name === other.name && one.values[0] === other.values[0]

/** What was found, with what its nonces mean by now in the place of what they meant; null where that is no worse. */
export const withNonceFindings = (shown: readonly Finding[], now: readonly Finding[]): Finding[] | null =>
  now.every(finding => shown.some(known => isSame(finding, known)))
    ? null
    : [...shown.filter(({ name }) => !NAMES.some(own => own === name)), ...now]
