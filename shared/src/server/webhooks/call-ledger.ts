/**
 * Tracks queued and running webhook calls, and the limits on them: overall, per target, and per payer's
 * share.
 */
import type { Payers, Shares } from '../limits/shares.ts'
import { newTarget, type Target } from './schedule.ts'
import type { CallId, Owed } from './store.ts'

/** Maximum number of origins that are remembered as responding. */
const REMEMBERED = 10_000

export type KeptTarget = Target<Call> & { origin: string; calls: number }

export type Call = {
  id: CallId
  owed: Owed
  payers: Payers
  target: KeptTarget
  stored: Promise<unknown>
  isCancelled: boolean
}

/** Limits, each a configuration row: queued calls overall and per target, and bytes overall. */
export type QueueLimits = { calls: number; targetCalls: number; bytes: number }

const NO_CALLS: ReadonlySet<Call> = new Set()

export const createCallLedger = (limits: QueueLimits, shares: Shares) => {
  const targets = new Map<string, KeptTarget>()
  /** All calls, and queued calls by key. */
  const kept = new Set<Call>()
  const waiting = new Map<string, Set<Call>>()
  /** Origins that have responded since start, the most recent last. */
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

  /**
   * Returns the maximum number of queued calls of a target. Until the target has responded once since the start, this
   * is only a share.
   */
  const mostOf = ({ origin }: KeptTarget): number =>
    answered.has(origin) ? limits.targetCalls : Math.min(limits.targetCalls, shares.limits.calls)

  return {
    /** Adds a queued call. */
    enter: (id: CallId, owed: Owed, payers: Payers): Call => {
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
    /** Puts a running call back into the queue. */
    wait,
    /** Takes a call out of the queue. Returns false if it was not queued. */
    takeUp: (call: Call): boolean => {
      const { key } = call.owed
      const alike = waiting.get(key)
      if (!alike?.delete(call)) return false
      if (alike.size === 0) waiting.delete(key)
      return true
    },
    /** Returns the queued calls with that key. */
    waitingFor: (key: string): ReadonlySet<Call> => waiting.get(key) ?? NO_CALLS,
    /** Returns all calls of a registration. */
    callsOf: (registration: string): Call[] => [...kept].filter(({ owed }) => owed.registration === registration),
    /** Records that a target has responded. */
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
