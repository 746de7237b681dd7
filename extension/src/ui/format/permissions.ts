/** A remote peer's permissions, as the two kinds that the user can switch. */
import type { RequiredView } from '../../messages.ts'
import { startSentence, text } from './text.ts'

/** Kind of a method. `other` are reads and wallet methods, which move nothing and cannot be switched. */
export type MethodKind = 'sign' | 'send' | 'other'

const SEND = /(?:sendTransaction|signTransaction|sendRawTransaction|sendCalls|signTransactionAsFeePayer)$/i
const SIGN = /(?:_sign|sign(?:TypedData(?:_v\d)?|Message))$/

export const kindOf = (method: string): MethodKind => {
  if (SEND.test(method)) return 'send'
  return SIGN.test(method) ? 'sign' : 'other'
}

export const SWITCHED = ['sign', 'send'] as const

/** A kind's state. `isGiven` if any method of the kind is granted, `isRequired` if the peer requires any. */
export type KindView = { kind: (typeof SWITCHED)[number]; isGiven: boolean; isRequired: boolean }

/** Returns the kinds with at least one offered method. */
export const kindsOf = (offered: readonly string[], given: readonly string[], required: RequiredView): KindView[] =>
  SWITCHED.filter(kind => offered.some(method => kindOf(method) === kind)).map(kind => ({
    kind,
    isGiven: given.some(method => kindOf(method) === kind),
    isRequired: required.methods.some(method => kindOf(method) === kind),
  }))

/** Returns the granted methods after a kind is switched, in the order in which they are offered. */
export const switchKind = (
  offered: readonly string[],
  given: readonly string[],
  kind: MethodKind,
  isOn: boolean,
): string[] => offered.filter(method => (kindOf(method) === kind ? isOn : given.includes(method)))

/** Adds an element to `chosen` in the order of `all`, or removes it from `chosen`. */
export const switchOne = <T>(all: readonly T[], chosen: readonly T[], one: T, isOn: boolean): T[] =>
  all.filter(other => (other === one ? isOn : chosen.includes(other)))

/** True if the peer requires this network. */
export const isChainRequired = ({ chains }: RequiredView, chainId: number): boolean =>
  chains.includes(`eip155:${chainId}`)

/** Returns a summary such as "Sign messages, send transactions". */
export const mayAsk = (methods: readonly string[]): string => {
  const kinds = SWITCHED.filter(kind => methods.some(method => kindOf(method) === kind))
  return startSentence(kinds.length === 0 ? text('may_nothing') : kinds.map(kind => text(`may_${kind}`)).join(', '))
}
