/** The approval window, of which there is at most one, and the setup tab. */
import type { ApprovalWindow } from '../wallet/requests/attention.ts'
import type { Store } from '../wallet/storage/store.ts'
import { createSerialQueue } from '../wallet/work/serial-queue.ts'
import browser from './api.ts'

const APPROVAL_PAGE = 'approval.html'
const SET_UP_PAGE = 'onboarding.html'
/** The page is 400 × 640 pixels; the rest is the window frame. */
const APPROVAL_SIZE = { width: 400, height: 672 }
/** Session key of the window's id. OPENING means that a stopped worker may have left a window with an unknown id. */
const OPEN_WINDOW = 'approval-window'
const OPENING = 'opening'
/** Milliseconds that a given-up window has to close itself before the wallet closes it. */
const CLOSING_TIME = 300

/** Calls `onClosed` when the person closes the window, but not when it is hidden. */
export const createWindows = (session: Store, onClosed: () => Promise<unknown>): ApprovalWindow => {
  // Sequential, so that concurrent requests open one window, and a closing one is not mistaken for the next.
  const inTurn = createSerialQueue()

  const approvalUrl = () => browser.runtime.getURL(APPROVAL_PAGE)

  /** The window's id, if known. */
  const openWindow = async (): Promise<number | undefined> => {
    const kept = await session.get(OPEN_WINDOW)
    if (kept !== OPENING) return kept as number | undefined
    const id = (await browser.tabs.query({ url: approvalUrl() })).at(-1)?.windowId
    if (id !== undefined) await session.set(OPEN_WINDOW, id)
    return id
  }

  /** Returns true if the person has just closed this window, and drops its id. */
  const forget = (closed: number) =>
    inTurn(async () => {
      if ((await openWindow()) !== closed) return false
      await session.remove(OPEN_WINDOW)
      return true
    })

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
        // The id is removed first, so that closing is not taken for the person's action and a new request opens a new window.
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
