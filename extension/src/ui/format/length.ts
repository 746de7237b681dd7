/** Finds requests that are too long for one screen. The user must scroll to their end before approving. */
import type { Effect, Finding, TransactionEffect, ValueView } from '../../messages.ts'
import { LONGEST_TEXT } from './text-safety.ts'

/** The largest batch that does not count as long, in calls. */
export const MOST_CALLS = 5

const sizeOf = ({ name, value }: ValueView): number =>
  name.length + (typeof value === 'string' ? value.length : sizeOfAll(value))
const sizeOfAll = (values: readonly ValueView[]): number => values.reduce((size, value) => size + sizeOf(value), 0)

const digitsOf = (hex: string): number => hex.length - 2

/** Returns the length of a call. A new contract's bytecode counts as 0, because the user cannot read it. */
const sizeOfCall = ({ to, call, data }: TransactionEffect): number => {
  if (call) return sizeOfAll(call.args)
  return to === null ? 0 : digitsOf(data)
}

/** Returns the number of characters to read. */
const lengthOf = (effect: Effect): number => {
  if (effect.kind === 'message') return effect.text?.length ?? digitsOf(effect.bytes)
  if (effect.kind === 'typedData') return sizeOfAll([...effect.domain, effect.message])
  if (effect.kind === 'transaction') return sizeOfCall(effect)
  return effect.kind === 'calls' ? effect.calls.reduce((size, call) => size + sizeOfCall(call), 0) : 0
}

const hasManyCalls = (effect: Effect): boolean => effect.kind === 'calls' && effect.calls.length > MOST_CALLS

export const isLong = (effect: Effect): boolean => hasManyCalls(effect) || lengthOf(effect) > LONGEST_TEXT

/** Returns the finding for a long request. Its value is the number of characters, or of calls for a batch. */
export const lengthFindings = (effect: Effect): readonly Finding[] => {
  if (effect.kind === 'calls' && hasManyCalls(effect))
    return [{ level: 'caution', name: 'manyCalls', values: [String(effect.calls.length)] }]
  const length = lengthOf(effect)
  return length > LONGEST_TEXT ? [{ level: 'caution', name: 'longMessage', values: [String(length)] }] : []
}
