/** Forwards messages between the page script and the background. Holds no wallet state and makes no decisions. */
import type { Browser, Runtime } from 'webextension-polyfill'
import { FROM_PAGE, FROM_WALLET, GONE, PAGE_PORT, PING, WEB_PAGE_TYPES } from './messages.ts'

// This script does not use the polyfill, which is larger than the script itself. Browsers have the needed API under one
// of these two names.
const { runtime }: Browser = Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')
let port: Runtime.Port | undefined

/** Milliseconds between checks that the extension still exists. */
const CHECK_INTERVAL = 1_000

// '*' is safe because the target is this window itself. A sandboxed frame has no origin to name.
const toPage = (message: unknown): void => window.postMessage({ source: FROM_WALLET, message }, '*')

// Without `runtime.id`, the extension was updated or removed, and only a reload of the page helps.
const lose = (lost: Runtime.Port | undefined) => {
  if (port !== lost) return
  port = undefined
  toPage(runtime.id === undefined ? GONE : { notice: 'resend' })
}

// The browser fires no event for a port that was opened just while the extension was unloading, so this polls.
const watch = (opened: Runtime.Port) => {
  const checking = setInterval(() => {
    if (port !== opened) clearInterval(checking)
    else if (runtime.id === undefined) lose(opened)
  }, CHECK_INTERVAL)
}

const connect = () => {
  const opened = runtime.connect({ name: PAGE_PORT })
  opened.onMessage.addListener(toPage)
  opened.onDisconnect.addListener(() => lose(opened))
  watch(opened)
  return opened
}

const serve = () => {
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window || data?.source !== FROM_PAGE) return
    try {
      port ??= connect()
      port.postMessage(data.message)
    } catch {
      lose(port)
    }
  })

  // Firefox keeps a page's port open in the back/forward cache. Closing the port ends the page's requests, as in
  // Chromium.
  window.addEventListener('pagehide', () => port?.disconnect())
  // A page restored from the back/forward cache has lost its port without an event.
  window.addEventListener('pageshow', ({ persisted }) => persisted && port && lose(port))
  // The background sends events to the document and not over the port, so they arrive even without a port. A ping only
  // checks that the document exists.
  runtime.onMessage.addListener((message: unknown) => void (message === PING || toPage(message)))
}

if (WEB_PAGE_TYPES.includes(document.contentType)) serve()
