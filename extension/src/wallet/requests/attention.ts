/**
 * Shows the approval window for new requests and proposals, and hides it when none are left. A request of a tab beside
 * an open panel is shown in the panel instead. A page can send any number of requests, so without a user action the
 * window or the panel takes the focus only a limited number of times per tab. Further requests stay in the list, which
 * the badge counts.
 */

import { type Cell, createCell, type Store } from '../storage/store.ts'
import { createSerialQueue } from '../work/turns.ts'
import type { Panels } from './panels.ts'

/** The browser's approval window. */
export type ApprovalWindow = {
  /** Opens the window, or focuses it if it is open. */
  show(): Promise<void>
  /** Resolves to true if the window is open. */
  isShown(): Promise<boolean>
  /**
   * Releases the window: the next `show` opens another one. The released window closes itself when it has nothing left
   * to show, and otherwise is closed soon after.
   */
  hide(): Promise<void>
  /** Opens the setup tab, or focuses it if it is open. */
  setUp(): Promise<void>
}

/**
 * Source of a request. `tab` is the requesting tab, whatever sites it shows, or null if unknown. `panel` is the panel
 * that shows the request, absent if the window shows it.
 */
export type Asker = { origin: string; tab: number | null; panel?: number }

export type Attention = {
  /** Shows the window or the panel because of a new request. Resolves to false if it may not take the focus now. */
  show(asker: Asker): Promise<boolean>
  /** Shows the window if it is hidden. Does not focus it if it is open. A panel is open as long as it has requests. */
  showAgain(asker: Asker): Promise<void>
  /** Hides the window if it has no request and no proposal left. */
  hide(): Promise<void>
  setUp(asker: Asker): Promise<void>
  /** Shows the window because the user asked for it, or the panel if the window has nothing to show. */
  open(): Promise<void>
  /** Called when the pending proposals may have changed. */
  onProposals(): Promise<void>
  /** Called when the user decided, unlocked or opened the wallet: every tab may take the focus again. */
  acted(): Promise<void>
}

/** `expiresAt` is Unix time in ms. */
export type WaitingProposal = { id: string; expiresAt: number }

export type AttentionParts = {
  window: ApprovalWindow
  panels: Pick<Panels, 'show'>
  session: Store
  /** Returns where each pending request is shown, oldest first: its panel, or null for the window. */
  places(): Promise<readonly (number | null)[]>
  /** Returns the pending proposals. Empty while the wallet is locked. */
  proposals(): Promise<readonly WaitingProposal[]>
  /** Proposals for which the window was shown. They are stored, because the window outlives the worker. */
  shown: Cell<readonly WaitingProposal[]>
  now(): number
}

/** How often a tab may take the focus within SHOWN_WITHIN ms without a user action. */
export const MAX_SHOWN = 3
const SHOWN_WITHIN = 60_000

/** An entry is `opening` until the window is shown. */
type Shown = { from: string; at: number; opening?: true }

/** Source of proposals, which come through relays and not from a tab. */
const PROPOSALS = 'proposals'

export const createAttention = (parts: AttentionParts): Attention => {
  const { window, panels, session, places, proposals, shown, now } = parts
  const taken = createCell<readonly Shown[]>(session, 'focus-taken', [])
  // Window actions run one at a time, each together with its check. Otherwise a request could arrive between the check
  // and the hiding, and would have no window.
  const inTurn = createSerialQueue()

  const isDone = async () => !(await places()).includes(null) && (await proposals()).length === 0
  const hideIfDone = async () => {
    if (await isDone()) await window.hide()
  }

  /** Takes the focus, unless this source has taken it too often. Resolves to true if it was taken. */
  const takeFocus = async (from: string, how: () => Promise<void>) => {
    // An entry that is still opening took no focus: the worker stopped before it showed the window.
    const isUsed = (one: Shown) => now() - one.at < SHOWN_WITHIN && !(one.opening && one.from === from)
    const used = (await taken.read()).filter(isUsed)
    if (used.filter(other => other.from === from).length >= MAX_SHOWN) return false
    await taken.update(() => [...used, { from, at: now(), opening: true }])
    await how()
    await taken.update(all => all.map(({ from, at }) => ({ from, at })))
    return true
  }
  const nameOf = ({ origin, tab }: Asker) => (tab === null ? origin : `tab ${tab}`)
  const placeOf = ({ panel }: Asker) => (panel === undefined ? window.show : () => panels.show(panel))

  return {
    show: asker => inTurn(() => takeFocus(nameOf(asker), placeOf(asker))),
    showAgain: asker =>
      inTurn(async () => {
        if (asker.panel === undefined && !(await window.isShown())) await takeFocus(nameOf(asker), window.show)
      }),
    hide: () => inTurn(hideIfDone),
    setUp: asker => inTurn(async () => void (await takeFocus(nameOf(asker), window.setUp))),
    open: () =>
      inTurn(async () => {
        const [first] = await places()
        if (typeof first === 'number' && (await isDone())) await panels.show(first)
        else await window.show()
      }),
    onProposals: () =>
      inTurn(async () => {
        const [waiting, before] = await Promise.all([proposals(), shown.read()])
        const notIn = (all: readonly WaitingProposal[]) => (one: WaitingProposal) =>
          !all.some(({ id }) => id === one.id)
        const gone = before.filter(notIn(waiting))
        if (waiting.some(notIn(before))) await takeFocus(PROPOSALS, window.show)
        else if (gone.length === 0) return
        // For an expired proposal the window stays open, and says that it expired.
        else if (gone.some(({ expiresAt }) => now() < expiresAt)) await hideIfDone()
        await shown.update(() => waiting)
      }),
    acted: async () => {
      if ((await taken.read()).length > 0) await taken.update(() => [])
    },
  }
}
