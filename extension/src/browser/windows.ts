/** The approval window, at most one at a time, and the setup tab. */
import type { ApprovalWindow } from '../wallet/requests/attention.ts'
import type { Store } from '../wallet/storage/store.ts'
import { report } from '../wallet/text/errors.ts'
import { createSerialQueue } from '../wallet/work/turns.ts'
import browser from './api.ts'

const APPROVAL_PAGE = 'approval.html'
const SET_UP_PAGE = 'onboarding.html'
/** Window size in pixels. The page is 400 × 640; the rest is the window frame. */
const APPROVAL_SIZE = { width: 400, height: 672 }
/** Session key of the window's id. OPENING means that a stopped worker may have left a window with an unknown id. */
const OPEN_WINDOW = 'approval-window'
const OPENING = 'opening'
/** Milliseconds that an abandoned window has to close itself before the wallet closes it. */
const CLOSING_TIME = 300

/** True if a window of the browser has the focus. */
export const isInFront = async (): Promise<boolean> => (await browser.windows.getLastFocused()).focused

/** Calls `onClosed` when the user closes the window, but not when the wallet hides it. */
export const createWindows = (session: Store, onClosed: () => Promise<unknown>): ApprovalWindow => {
  // Runs calls in order, so that concurrent requests open one window, and a closing window is not mistaken for the
  // next.
  const inTurn = createSerialQueue()

  const approvalUrl = () => browser.runtime.getURL(APPROVAL_PAGE)

  /** Returns the window's id, if known. */
  const openWindow = async (): Promise<number | undefined> => {
    const kept = await session.get(OPEN_WINDOW)
    if (kept !== OPENING) return kept as number | undefined
    const id = (await browser.tabs.query({ url: approvalUrl() })).at(-1)?.windowId
    if (id !== undefined) await session.set(OPEN_WINDOW, id)
    return id
  }

  /** Removes the id of a closed window. Returns true if the user has just closed this window. */
  const forget = (closed: number) =>
    inTurn(async () => {
      if ((await openWindow()) !== closed) return false
      await session.remove(OPEN_WINDOW)
      return true
    })

  /** Closes approval windows that an earlier worker gave up, but did not close before it stopped. */
  const closeReleased = async () => {
    const open = await openWindow()
    const released = (await browser.tabs.query({ url: approvalUrl() })).filter(({ windowId }) => windowId !== open)
    await Promise.all(released.map(({ id }) => id !== undefined && browser.tabs.remove(id)))
  }
  inTurn(closeReleased).catch(report)

  browser.windows.onRemoved.addListener(async id => {
    if (await forget(id)) await onClosed()
  })

  /** True if the window still exists and `reach` succeeded. */
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
        // The id is removed first, so that closing is not mistaken for the user's action, and a new request opens a new
        // window.
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
