/**
 * Installs an update of the extension when nothing of the wallet is open. An update ends every page of the wallet and empties
 * `storage.session`, with the open requests and the key of the unlocked vault.
 *
 * Firefox installs an update when the extension asks for it, because there is a listener. Chromium also does so when the
 * worker is stopped and no page of the extension is open, so the worker is kept running while a request is.
 */
import type { Store } from '../wallet/storage/store.ts'
import { report } from '../wallet/work/failures.ts'
import browser from './api.ts'

/** Milliseconds between checks, less than the 30 s after which a browser stops an idle worker. */
export const CHECK_INTERVAL = 10_000

/** Session value that is set while an update waits. The update clears it with the session. */
const UPDATE = 'update-waits'

/**
 * `isBusy` resolves with true while an update would end something. Returns a function to call when a request was added:
 * the worker is kept running until none is left.
 */
export const createUpdates = (session: Store, isBusy: () => Promise<boolean>): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined

  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  const check = async () => {
    // Any call of the browser's API restarts the time after which it stops the worker.
    await browser.runtime.getPlatformInfo()
    const doesWait = (await session.get(UPDATE)) === true
    if (await isBusy()) return
    stop()
    if (doesWait) browser.runtime.reload()
  }
  const checkOften = () => {
    timer ??= setInterval(() => check().catch(report), CHECK_INTERVAL)
  }

  const install = async () => {
    checkOften()
    await check()
  }

  browser.runtime.onUpdateAvailable.addListener(async () => {
    await session.set(UPDATE, true)
    await install()
  })

  // The worker may have been stopped since the update arrived.
  session
    .get(UPDATE)
    .then(doesWait => (doesWait === true ? install() : undefined))
    .catch(report)

  return checkOften
}
