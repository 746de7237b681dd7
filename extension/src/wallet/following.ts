/**
 * Derives everything that depends on the stored state after each change: an unlock settles requests, sessions are reconciled,
 * new proposals are shown, pages get the state, missing reviews start, and new background work is announced.
 */
import type { UiState } from '../messages.ts'
import type { Attention } from './requests/attention.ts'
import type { Desk } from './requests/desk.ts'
import type { Sessions } from './session/engine.ts'
import type { Tending } from './tending.ts'
import { report } from './text/errors.ts'
import { createSignal } from './work/turns.ts'

export type FollowingParts = {
  desk: Pick<Desk, 'settleUnlocked' | 'reviewWaiting'>
  sessions: Pick<Sessions, 'reconcile'>
  attention: Pick<Attention, 'onProposals'>
  readState(): Promise<UiState>
  work: Tending['work']
}

export type Following = {
  /**
   * Applies all changes until now. Failures are reported, not thrown, so that one failure does not stop the other
   * changes or fail a request.
   */
  follow(): Promise<void>
  /** Calls the listener with each new state of the pages. Parts that have not changed keep their identity. */
  observeState(listener: (state: UiState) => void): void
  /** Calls the listener when there is new background work. */
  observeWork(listener: () => void): void
}

/** A state of the pages, and each of its members as JSON. */
type Known = { state: UiState; json: ReadonlyMap<string, string | undefined> }

const withJson = (state: UiState): Known => ({
  state,
  json: new Map(Object.entries(state).map(([name, value]) => [name, JSON.stringify(value)])),
})

/**
 * Returns `next` with the members of `before` that are equal as JSON, so that they keep their identity. Returns
 * `before` if all members are equal.
 */
const reuse = (before: Known, next: Known): Known => {
  const names = Object.keys(next.state) as (keyof UiState)[]
  const equal = names.filter(name => before.json.get(name) === next.json.get(name))
  if (equal.length === names.length) return before
  return { ...next, state: { ...next.state, ...Object.fromEntries(equal.map(name => [name, before.state[name]])) } }
}

export const createFollowing = ({ desk, sessions, attention, readState, work }: FollowingParts): Following => {
  const states = createSignal<UiState>()
  const newWork = createSignal()
  let known: Known | undefined
  let tended: readonly string[] = []

  const pushState = async () => {
    const next = withJson(await readState())
    const before = known
    known = before ? reuse(before, next) : next
    if (known !== before) states.notify(known.state)
  }
  const announceWork = async () => {
    const before = tended
    tended = await work()
    if (tended.some(id => !before.includes(id))) newWork.notify()
  }

  return {
    follow: async () => {
      await desk.settleUnlocked().catch(report)
      await Promise.all([attention.onProposals().catch(report), sessions.reconcile().catch(report)])
      await pushState().catch(report)
      await announceWork().catch(report)
      desk.reviewWaiting().catch(report)
    },
    observeState: states.observe,
    observeWork: newWork.observe,
  }
}
