/**
 * Shows notices as the browser's notifications, if the user has allowed them. Pressing one opens the transaction or the
 * request. The browser has the API only with the permission. If it is granted while Chromium's worker runs, the API
 * appears at the worker's next start, because the worker's global names cannot change.
 */
import type { Notice, ShowNotice } from '../wallet/notices/notices.ts'
import { report } from '../wallet/text/errors.ts'
import { plainText } from '../wallet/text/text.ts'
import browser from './api.ts'
import { openWalletTab } from './wallet-tab.ts'

/** Maximum characters of a name in a notification. */
const MAX_NAME = 40
const MAX_HOST = 60

const ICON = 'icons/icon-128.png'
const WAITING = 'waiting'

/** Returns an untrusted name on one line, without invisible characters, and cut. */
const nameOf = (name: string): string => {
  const chars = [...plainText(name).replaceAll('\n', ' ')]
  return chars.length > MAX_NAME ? `${chars.slice(0, MAX_NAME).join('')}…` : chars.join('')
}

/** Returns a site's host, cut at its start, because its end says whose it is. */
const hostOf = (origin: string): string => {
  const { host } = new URL(origin)
  return host.length > MAX_HOST ? `…${host.slice(-MAX_HOST)}` : host
}

const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

const textsOf = (notice: Notice): { id: string; title: string; message: string } => {
  const text = (key: string, ...values: string[]) => browser.i18n.getMessage(key, values)
  if (notice.kind === 'waiting') {
    const { site } = notice
    const who = site === null ? text('notice_app') : hostOf(site)
    return { id: WAITING, title: text('notice_waiting'), message: text('notice_waitingText', who) }
  }
  const { kind, hash, account, network } = notice
  return {
    id: hash,
    title: text(`notice_${kind}`),
    message: text('notice_place', shortAddress(account), nameOf(network)),
  }
}

/** Returns the API. Undefined without the permission. */
const findApi = (): typeof browser.notifications | undefined => browser.notifications

/** `onWaiting` is called when the user presses a notification about a request. */
export const createNotifications = (onWaiting: () => Promise<unknown>): ShowNotice => {
  let isListening = false

  const open = async (id: string) => {
    if (id === WAITING) await onWaiting()
    else await openWalletTab(`#activity/${id}`)
    await findApi()?.clear(id)
  }
  const listen = () => {
    const api = findApi()
    if (isListening || !api) return
    isListening = true
    api.onClicked.addListener(id => void open(id).catch(report))
  }
  listen()
  browser.permissions.onAdded.addListener(listen)

  return async notice => {
    const { id, title, message } = textsOf(notice)
    await findApi()?.create(id, { type: 'basic', iconUrl: browser.runtime.getURL(ICON), title, message })
  }
}
