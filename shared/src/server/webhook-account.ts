/**
 * Calls to webhooks that wait or are under way, and whether there is room for another: of all, for its target, and in the
 * share of whoever pays for it.
 */
import type { Payers, Shares } from './shares.ts'
import { newTarget, type Target } from './webhook-schedule.ts'
import type { Owed } from './webhook-store.ts'

/** Origins of which it is remembered that they answer. */
const REMEMBERED = 10_000

export type KeptTarget = Target<Call> & { origin: string; calls: number }

export type Call = {
  id: number
  owed: Owed
  payers: Payers
  target: KeptTarget
  stored: Promise<unknown>
  isCancelled: boolean
}

/** Bounds, each a configuration row: calls that wait in all and for one target, and bytes of all. */
export type QueueLimits = { calls: number; targetCalls: number; bytes: number }

const NO_CALLS: ReadonlySet<Call> = new Set()

export const createCallAccount = (limits: QueueLimits, shares: Shares) => {
  const targets = new Map<string, KeptTarget>()
  /** All calls, and by key those of them that have not begun. */
  const kept = new Set<Call>()
  const waiting = new Map<string, Set<Call>>()
  /** Origins that have answered since the start, those that did so last at the end. */
  const answered = new Set<string>()
  let bytes = 0

  const targetOf = (url: string): KeptTarget => {
    const { origin } = new URL(url)
    return targets.get(origin) ?? { ...newTarget<Call>(), origin, calls: 0 }
  }

  const wait = (call: Call): void => {
    const { key } = call.owed
    waiting.set(key, (waiting.get(key) ?? new Set()).add(call))
  }

  /** A target that has not answered since the start has no more than a share. */
  const mostOf = ({ origin }: KeptTarget): number =>
    answered.has(origin) ? limits.targetCalls : Math.min(limits.targetCalls, shares.limits.calls)

  return {
    /** Takes in a call, which waits. */
    enter: (id: number, owed: Owed, payers: Payers): Call => {
      const target = targetOf(owed.url)
      const call = { id, owed, payers, target, stored: Promise.resolve(), isCancelled: false }
      shares.take(payers, 'calls', 1)
      kept.add(call)
      bytes += owed.size
      target.calls += 1
      targets.set(target.origin, target)
      wait(call)
      return call
    },
    leave: (call: Call): void => {
      const { owed, payers, target } = call
      kept.delete(call)
      shares.give(payers, 'calls', 1)
      bytes -= owed.size
      target.calls -= 1
      if (target.calls === 0) targets.delete(target.origin)
    },
    /** A call that was taken up waits again. */
    wait,
    /** Takes a call out of those that wait; says whether it was among them. */
    takeUp: (call: Call): boolean => {
      const { key } = call.owed
      const alike = waiting.get(key)
      if (!alike?.delete(call)) return false
      if (alike.size === 0) waiting.delete(key)
      return true
    },
    /** The calls of that key that have not begun. */
    waitingFor: (key: string): ReadonlySet<Call> => waiting.get(key) ?? NO_CALLS,
    /** All calls on behalf of a registration. */
    callsOf: (registration: string): Call[] => [...kept].filter(({ owed }) => owed.registration === registration),
    /** Notes that a target answers. */
    noteAnswer: ({ origin }: KeptTarget): void => {
      answered.delete(origin)
      answered.add(origin)
      for (const oldest of answered) {
        if (answered.size <= REMEMBERED) return
        answered.delete(oldest)
      }
    },
    hasRoom: (url: string, size: number, payers: Payers): boolean => {
      const target = targetOf(url)
      return (
        kept.size < limits.calls &&
        target.calls < mostOf(target) &&
        shares.exhausted(payers, 'calls', 1) === undefined &&
        bytes + size <= limits.bytes
      )
    },
    size: () => kept.size,
  }
}
