/** The pipe between the page script and the background: no state of the wallet, no decision. */
import type { Browser, Runtime } from 'webextension-polyfill'
import { FROM_PAGE, FROM_WALLET, PAGE_PORT } from './messages.ts'

// The polyfill is larger than all of this; both engines have what a pipe needs under one of these two names.
const { runtime }: Browser = Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')
let port: Runtime.Port | undefined

// The target is this window itself, so '*' lets nobody else listen; a sandboxed frame has no origin to name.
const toPage = (message: unknown): void => window.postMessage({ source: FROM_WALLET, message }, '*')

const lose = (lost: Runtime.Port) => {
  if (port !== lost) return
  port = undefined
  toPage({ notice: 'resend' })
}

const connect = () => {
  const opened = runtime.connect({ name: PAGE_PORT })
  opened.onMessage.addListener(toPage)
  opened.onDisconnect.addListener(() => lose(opened))
  return opened
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.source !== FROM_PAGE) return
  try {
    port ??= connect()
    port.postMessage(data.message)
  } catch {
    // The extension was updated or removed under this page; only a reload brings it back.
    toPage({ id: data.message?.id, error: { code: 4900, message: 'The wallet was updated. Reload this page.' } })
  }
})

// A page that was kept for going back to has lost its port in the meantime, and is not told of it.
window.addEventListener('pageshow', ({ persisted }) => persisted && port && lose(port))
// Events come as messages to this document, so they arrive whether or not a port is open.
runtime.onMessage.addListener((message: unknown) => toPage(message))
