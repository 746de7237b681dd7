/** The pipe between the page script and the background: no state of the wallet, no decision. */
import type { Browser, Runtime } from 'webextension-polyfill'
import { FROM_PAGE, FROM_WALLET, GONE, PAGE_PORT, PING, WEB_PAGE_TYPES } from './messages.ts'

// The polyfill is larger than all of this; both engines have what a pipe needs under one of these two names.
const { runtime }: Browser = Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')
let port: Runtime.Port | undefined

/** Milliseconds between two looks at whether the extension is still there. */
const LOOK = 1_000

// The target is this window itself, so '*' lets nobody else listen; a sandboxed frame has no origin to name.
const toPage = (message: unknown): void => window.postMessage({ source: FROM_WALLET, message }, '*')

// Without an id the extension was updated or removed under this page, and only a reload brings it back.
const lose = (lost: Runtime.Port | undefined) => {
  if (port !== lost) return
  port = undefined
  toPage(runtime.id === undefined ? GONE : { notice: 'resend' })
}

// The browser never tells that a port is closed which was opened just as the extension was leaving.
const watch = (opened: Runtime.Port) => {
  const looking = setInterval(() => {
    if (port !== opened) clearInterval(looking)
    else if (runtime.id === undefined) lose(opened)
  }, LOOK)
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

  // Firefox leaves the port open while the page is kept for going back to. Its requests end when it goes, as in Chromium.
  window.addEventListener('pagehide', () => port?.disconnect())
  // A page that was kept for going back to has lost its port in the meantime, and is not told of it.
  window.addEventListener('pageshow', ({ persisted }) => persisted && port && lose(port))
  // Events come as messages to this document, so they arrive whether or not a port is open. A ping only asks who is there.
  runtime.onMessage.addListener((message: unknown) => void (message === PING || toPage(message)))
}

if (WEB_PAGE_TYPES.includes(document.contentType)) serve()
