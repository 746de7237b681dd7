/** The texts of an approval in progress and of a failed one. */
import type { Effect, FailureView } from '../../messages.ts'
import type { TextKey } from './text.ts'

export const progressOf = (effect: Effect): TextKey => {
  if (effect.kind === 'calls' || (effect.kind === 'transaction' && effect.broadcast)) return 'sendingNow'
  if (effect.kind === 'connect') return 'connecting'
  return effect.kind === 'message' || effect.kind === 'typedData' || effect.kind === 'transaction'
    ? 'signingNow'
    : 'saving'
}

export type FailureKind = 'send' | 'unsure' | 'sign' | 'change'

/** Error reason that leaves open whether the node accepted the transaction. */
const UNSURE = 'sendingUnsure'

/** Classifies a failure by its effect: nothing sent, possibly sent, nothing signed, or nothing changed. */
export const failureKindOf = (effect: Effect, failure: FailureView): FailureKind => {
  const progress = progressOf(effect)
  if (progress === 'sendingNow') return failure.reason === UNSURE ? 'unsure' : 'send'
  return progress === 'signingNow' ? 'sign' : 'change'
}
