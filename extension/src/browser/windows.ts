/** The approval window, of which there is one at most, and the set-up tab. */
import browser from 'webextension-polyfill'
import type { Store } from '../wallet/store.ts'
import { createTurns } from '../wallet/turns.ts'

export type Windows = {
  show(): Promise<void>
  hide(): Promise<void>
  setUp(): Promise<void>
}

const APPROVAL_PAGE = 'approval.html'
const SET_UP_PAGE = 'onboarding.html'
/** The page is 400 × 640; the rest is the frame that the system draws around it. */
const APPROVAL_SIZE = { width: 400, height: 672 }
const OPEN_WINDOW = 'approval-window'

/** `onClosed` is called when the person closes the window; not when it is hidden. */
export const createWindows = (session: Store, onClosed: () => void): Windows => {
  // One after the other, so that two requests at once open one window.
  const inTurn = createTurns()

  browser.windows.onRemoved.addListener(async id => {
    if ((await session.get(OPEN_WINDOW)) !== id) return
    await session.remove(OPEN_WINDOW)
    onClosed()
  })

  const focusOpen = async (): Promise<boolean> => {
    const id = await session.get(OPEN_WINDOW)
    if (typeof id !== 'number') return false
    return browser.windows.update(id, { focused: true }).then(
      () => true,
      () => false,
    )
  }

  return {
    show: () =>
      inTurn(async () => {
        if (await focusOpen()) return
        const url = browser.runtime.getURL(APPROVAL_PAGE)
        const { id } = await browser.windows.create({ url, type: 'popup', ...APPROVAL_SIZE })
        await session.set(OPEN_WINDOW, id)
      }),
    hide: () =>
      inTurn(async () => {
        const id = await session.get(OPEN_WINDOW)
        // Forgotten first: closing it now is not the person's act, and a new request gets a new window.
        await session.remove(OPEN_WINDOW)
        if (typeof id === 'number') await browser.windows.remove(id).catch(() => undefined)
      }),
    setUp: async () => {
      const url = browser.runtime.getURL(SET_UP_PAGE)
      await browser.tabs.create({ url })
    },
  }
}
