/** What a remote peer may ask for, in the two kinds that a person switches. */
import type { RequiredView } from '../messages.ts'
import { startSentence, text } from './text.ts'

/** `other` are reads and what concerns the wallet itself: they move nothing, and are not switched. */
export type MethodKind = 'sign' | 'send' | 'other'

const SEND = /(?:sendTransaction|signTransaction|sendRawTransaction|sendCalls|signTransactionAsFeePayer)$/i
const SIGN = /(?:_sign|sign(?:TypedData(?:_v\d)?|Message))$/

export const kindOf = (method: string): MethodKind => {
  if (SEND.test(method)) return 'send'
  return SIGN.test(method) ? 'sign' : 'other'
}

export const SWITCHED = ['sign', 'send'] as const

/** `isGiven` when one method of the kind is given, `isRequired` when the peer does not do without one. */
export type KindView = { kind: (typeof SWITCHED)[number]; isGiven: boolean; isRequired: boolean }

/** The kinds of which something is offered. */
export const kindsOf = (offered: readonly string[], given: readonly string[], required: RequiredView): KindView[] =>
  SWITCHED.filter(kind => offered.some(method => kindOf(method) === kind)).map(kind => ({
    kind,
    isGiven: given.some(method => kindOf(method) === kind),
    isRequired: required.methods.some(method => kindOf(method) === kind),
  }))

/** The methods that are given once a kind is switched, in the order in which they are offered. */
export const switchKind = (
  offered: readonly string[],
  given: readonly string[],
  kind: MethodKind,
  isOn: boolean,
): string[] => offered.filter(method => (kindOf(method) === kind ? isOn : given.includes(method)))

/** The same list with one more, in the order of `all`, or with one less. */
export const switchOne = <T>(all: readonly T[], chosen: readonly T[], one: T, isOn: boolean): T[] =>
  all.filter(other => (other === one ? isOn : chosen.includes(other)))

/** Whether the peer does not do without this network. */
export const isChainRequired = ({ chains }: RequiredView, chainId: number): boolean =>
  chains.includes(`eip155:${chainId}`)

/** "Sign messages, send transactions". */
export const mayAsk = (methods: readonly string[]): string => {
  const kinds = SWITCHED.filter(kind => methods.some(method => kindOf(method) === kind))
  return startSentence(kinds.length === 0 ? text('may_nothing') : kinds.map(kind => text(`may_${kind}`)).join(', '))
}
