/**
 * Installs an update of the extension when no page of the wallet is open and no request is undecided. An update closes
 * every page of the wallet and empties `storage.session`, with the pending requests and the key of the unlocked vault.
 *
 * This module listens for `onUpdateAvailable`, so Firefox postpones an update until the extension reloads itself.
 * Chromium also installs it once the worker has stopped and no page of the extension is open. The worker is therefore
 * kept running while a request is pending.
 */
import type { Store } from '../wallet/storage/store.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

/** Milliseconds between checks, less than the 30 s after which a browser stops an idle worker. */
export const CHECK_INTERVAL = 10_000

/**
 * Longest time in ms for which an update waits for undecided requests. Otherwise a page that keeps sending requests
 * could delay it indefinitely.
 */
export const MAX_WAIT = 24 * 60 * 60_000

/**
 * Name of the session value with the time since which an update has been waiting, in Unix ms. The update clears it with
 * the session.
 */
const UPDATE = 'update-waits'

type UpdateParts = {
  /** True while an approved request is executed, a long task runs, or a page of the wallet is open. */
  isActing(): Promise<boolean>
  /** True while a request is undecided. */
  isAsked(): Promise<boolean>
}

/** Returns a function to call when a request was added. It keeps the worker running until no request is left. */
export const createUpdates = (session: Store, { isActing, isAsked }: UpdateParts): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined

  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  const check = async () => {
    // Keeps the worker running: any call of the browser's API restarts its idle timeout.
    await browser.runtime.getPlatformInfo()
    const since = await session.get(UPDATE)
    const isOverdue = typeof since === 'number' && Date.now() - since >= MAX_WAIT
    if ((await isActing()) || (!isOverdue && (await isAsked()))) return
    stop()
    if (since !== undefined) browser.runtime.reload()
  }
  const checkOften = () => {
    timer ??= setInterval(() => check().catch(report), CHECK_INTERVAL)
  }

  const install = async () => {
    checkOften()
    await check()
  }

  browser.runtime.onUpdateAvailable.addListener(async () => {
    if ((await session.get(UPDATE)) === undefined) await session.set(UPDATE, Date.now())
    await install()
  })

  // An earlier worker may have been stopped after an update arrived, so this one continues the installation.
  session
    .get(UPDATE)
    .then(since => (since === undefined ? undefined : install()))
    .catch(report)

  return checkOften
}

/** The installed version of the extension. */
export const ownVersion = (): string => browser.runtime.getManifest().version
