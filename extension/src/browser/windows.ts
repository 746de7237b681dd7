/** The approval window, of which there is one at most, and the set-up tab. */
import type { ApprovalWindow } from '../wallet/attention.ts'
import type { Store } from '../wallet/store.ts'
import { createTurns } from '../wallet/turns.ts'
import browser from './api.ts'

const APPROVAL_PAGE = 'approval.html'
const SET_UP_PAGE = 'onboarding.html'
/** The page is 400 × 640; the rest is the frame that the system draws around it. */
const APPROVAL_SIZE = { width: 400, height: 672 }
/** Under it the session keeps the window's id, or OPENING: a worker that stops there leaves a window without a name. */
const OPEN_WINDOW = 'approval-window'
const OPENING = 'opening'
/** How long a window that shows nothing more may take to close by itself, as it does behind the last click, in ms. */
const CLOSING_TIME = 300

/** `onClosed` is called when the person closes the window; not when it is hidden. */
export const createWindows = (session: Store, onClosed: () => Promise<unknown>): ApprovalWindow => {
  // One after the other, so that two requests at once open one window, and a closing one is not taken for the next.
  const inTurn = createTurns()

  const approvalUrl = () => browser.runtime.getURL(APPROVAL_PAGE)

  /** The window's id, as far as there was one. */
  const openWindow = async (): Promise<number | undefined> => {
    const kept = await session.get(OPEN_WINDOW)
    if (kept !== OPENING) return kept as number | undefined
    const id = (await browser.tabs.query({ url: approvalUrl() })).at(-1)?.windowId
    if (id !== undefined) await session.set(OPEN_WINDOW, id)
    return id
  }

  /** Whether the person has just closed the window; it is forgotten then. */
  const forget = (closed: number) =>
    inTurn(async () => {
      if ((await openWindow()) !== closed) return false
      await session.remove(OPEN_WINDOW)
      return true
    })

  browser.windows.onRemoved.addListener(async id => {
    if (await forget(id)) await onClosed()
  })

  /** Whether the window is still there, and `reach` has found it. */
  const isThere = async (reach: (id: number) => Promise<unknown>): Promise<boolean> => {
    const id = await openWindow()
    if (id === undefined) return false
    return reach(id).then(
      () => true,
      () => false,
    )
  }

  const openApproval = async () => {
    await session.set(OPEN_WINDOW, OPENING)
    const { id } = await browser.windows.create({ url: approvalUrl(), type: 'popup', ...APPROVAL_SIZE })
    await session.set(OPEN_WINDOW, id)
  }

  return {
    show: () =>
      inTurn(async () => {
        if (!(await isThere(id => browser.windows.update(id, { focused: true })))) await openApproval()
      }),
    isShown: () => inTurn(() => isThere(id => browser.windows.get(id))),
    hide: () =>
      inTurn(async () => {
        const id = await openWindow()
        // Forgotten first: closing it now is not the person's act, and a new request gets a new window.
        await session.remove(OPEN_WINDOW)
        if (id !== undefined) setTimeout(() => browser.windows.remove(id).catch(() => undefined), CLOSING_TIME)
      }),
    setUp: () =>
      inTurn(async () => {
        const url = browser.runtime.getURL(SET_UP_PAGE)
        const [open] = await browser.tabs.query({ url })
        if (open?.id === undefined) await browser.tabs.create({ url })
        else await browser.tabs.update(open.id, { active: true })
      }),
  }
}
