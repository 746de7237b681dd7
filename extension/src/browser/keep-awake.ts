/**
 * Keeps an event page running while it has sockets. Firefox stops an event page, and its sockets, 30 s after the last event or
 * API call that the browser's main process handles. docs/sessions.md has the figures.
 */
import type { Sockets } from '../wallet/session/relay-client.ts'
import browser from './api.ts'

/** Milliseconds between API calls, less than Firefox's idle timeout of 30 s. */
export const CALL_INTERVAL = 20_000
/** Milliseconds to keep the page running after its last socket closed, longer than any pause before a reconnection. */
export const RETRY_TIME = 90_000

export const keepAwake = (sockets: Sockets): Sockets => {
  const open = new Map<string, symbol>()
  let lastOpen = 0
  let timer: ReturnType<typeof setInterval> | undefined

  const call = () => {
    if (open.size > 0) lastOpen = Date.now()
    if (Date.now() - lastOpen < RETRY_TIME) void browser.runtime.getPlatformInfo()
    else stop()
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    open: (name, url, listener) => {
      const own = Symbol(name)
      const ended = () => {
        if (open.get(name) === own) open.delete(name)
      }
      open.set(name, own)
      timer ??= setInterval(call, CALL_INTERVAL)
      const socket = sockets.open(name, url, {
        ...listener,
        closed: (code, reason) => {
          ended()
          listener.closed(code, reason)
        },
      })
      return {
        send: socket.send,
        close: () => {
          ended()
          socket.close()
        },
      }
    },
    closeAll: () => {
      open.clear()
      stop()
      sockets.closeAll()
    },
  }
}
