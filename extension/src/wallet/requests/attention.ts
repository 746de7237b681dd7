/**
 * Shows the approval window for new requests and proposals, and hides it when none are left. A page can send any number
 * of requests, so without a user action the window takes the focus only a limited number of times per tab. Further
 * requests stay in the list, which the badge counts.
 */

import { type Cell, createCell, type Store } from '../storage/store.ts'
import { createSerialQueue } from '../work/turns.ts'

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

/** Source of a request. `tab` is the requesting tab, whatever sites it shows, or null if unknown. */
export type Asker = { origin: string; tab: number | null }

export type Attention = {
  /** Shows the window because of a new request. */
  show(asker: Asker): Promise<void>
  /** Shows the window if it is hidden. Does not focus it if it is open. */
  showAgain(asker: Asker): Promise<void>
  /** Hides the window if no request and no proposal are left. */
  hide(): Promise<void>
  setUp(asker: Asker): Promise<void>
  /** Shows the window because the user asked for it. */
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
  session: Store
  hasRequests(): Promise<boolean>
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
  const { window, session, hasRequests, proposals, shown, now } = parts
  const taken = createCell<readonly Shown[]>(session, 'focus-taken', [])
  // Window actions run one at a time, each together with its check. Otherwise a request could arrive between the check
  // and the hiding, and would have no window.
  const inTurn = createSerialQueue()

  const hideIfDone = async () => {
    if (!(await hasRequests()) && (await proposals()).length === 0) await window.hide()
  }

  /** Takes the focus, unless this source has taken it too often. */
  const takeFocus = async (from: string, how: () => Promise<void>) => {
    // An entry that is still opening took no focus: the worker stopped before it showed the window.
    const isUsed = (one: Shown) => now() - one.at < SHOWN_WITHIN && !(one.opening && one.from === from)
    const used = (await taken.read()).filter(isUsed)
    if (used.filter(other => other.from === from).length >= MAX_SHOWN) return
    await taken.update(() => [...used, { from, at: now(), opening: true }])
    await how()
    await taken.update(all => all.map(({ from, at }) => ({ from, at })))
  }
  const nameOf = ({ origin, tab }: Asker) => (tab === null ? origin : `tab ${tab}`)

  return {
    show: asker => inTurn(() => takeFocus(nameOf(asker), window.show)),
    showAgain: asker =>
      inTurn(async () => {
        if (!(await window.isShown())) await takeFocus(nameOf(asker), window.show)
      }),
    hide: () => inTurn(hideIfDone),
    setUp: asker => inTurn(() => takeFocus(nameOf(asker), window.setUp)),
    open: () => inTurn(window.show),
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
