/** What is said of an approval while it is carried out, and when that failed. */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import type { Effect } from '../messages.ts'
import type { TextKey } from './text.ts'

export const progressOf = (effect: Effect): TextKey => {
  if (effect.kind === 'calls' || (effect.kind === 'transaction' && effect.broadcast)) return 'sendingNow'
  if (effect.kind === 'connect') return 'connecting'
  return effect.kind === 'message' || effect.kind === 'typedData' || effect.kind === 'transaction'
    ? 'signingNow'
    : 'saving'
}

export type FailureKind = 'send' | 'unsure' | 'sign' | 'other'

/** The wallet adds the hash to an error where the node did not say whether it took the transaction. */
const hasHash = ({ data }: RpcErrorObject): boolean => typeof data === 'object' && data !== null && 'hash' in data

/** What failed, as far as it matters to the person: whether anything was sent, may have been sent, or was signed. */
export const failureKindOf = (effect: Effect, failure: RpcErrorObject): FailureKind => {
  const progress = progressOf(effect)
  if (progress === 'sendingNow') return hasHash(failure) ? 'unsure' : 'send'
  return progress === 'signingNow' ? 'sign' : 'other'
}
