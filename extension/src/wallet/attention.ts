/**
 * The approval window for both that can wait in it, requests and proposals: it is shown when one comes, and goes when
 * neither is left.
 */
import type { ApprovalsParts } from './approvals.ts'
import type { Cell } from './store.ts'
import { createTurns } from './turns.ts'

type Window = Pick<ApprovalsParts, 'show' | 'showAgain' | 'hide'>

export type Attention = Window & {
  /** Call it whenever there may be other proposals. */
  onProposals(): Promise<void>
}

export type AttentionParts = {
  window: Window
  hasRequests(): Promise<boolean>
  /** The ids of the proposals that wait; none while the wallet is locked. */
  proposals(): Promise<readonly string[]>
  /** Those that the window was shown for, which outlive the worker as the window does. */
  shown: Cell<readonly string[]>
}

export const createAttention = ({ window, hasRequests, proposals, shown }: AttentionParts): Attention => {
  // Looking and acting are one, so that nothing comes in between and is left without a window.
  const inTurn = createTurns()

  const hideIfDone = async () => {
    if (!(await hasRequests()) && (await proposals()).length === 0) await window.hide()
  }

  return {
    show: () => inTurn(window.show),
    showAgain: () => inTurn(window.showAgain),
    hide: () => inTurn(hideIfDone),
    onProposals: () =>
      inTurn(async () => {
        const [ids, before] = await Promise.all([proposals(), shown.read()])
        if (ids.some(id => !before.includes(id))) await window.show()
        else if (ids.length === before.length) return
        else await hideIfDone()
        await shown.update(() => ids)
      }),
  }
}
