/** Relay sockets in the current context: a background page, or the offscreen document. */
import type { OpenSocket, Sockets } from '../wallet/session/relay-client.ts'

/** RFC 6455, §7.4.1: the connection was closed without a close frame. */
const ABNORMAL = 1006

export const createWebSockets = (): Sockets => {
  const open = new Map<string, WebSocket>()

  const openSocket: OpenSocket = (name, url, listener) => {
    const known = open.get(name)
    // Reuses a socket that a stopped worker left open.
    const socket = known?.readyState === WebSocket.OPEN ? known : new WebSocket(url)
    if (known && socket !== known) known.close()
    open.set(name, socket)
    const isMine = () => open.get(name) === socket
    socket.onopen = () => isMine() && listener.opened()
    socket.onmessage = ({ data }) => isMine() && typeof data === 'string' && listener.received(data)
    socket.onclose = ({ code, reason }) => {
      if (!isMine()) return
      open.delete(name)
      listener.closed(code, reason)
    }
    if (socket === known) queueMicrotask(() => isMine() && listener.opened())
    return {
      send: text => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text)
      },
      close: () => {
        if (isMine()) open.delete(name)
        socket.close()
      },
    }
  }

  return {
    open: (name, url, listener) => {
      try {
        return openSocket(name, url, listener)
      } catch {
        // The constructor throws if the URL is invalid, or if plain ws is not allowed here.
        queueMicrotask(() => listener.closed(ABNORMAL, 'the browser refuses this address'))
        return { send: () => undefined, close: () => undefined }
      }
    },
    closeAll: () => {
      const all = [...open.values()]
      open.clear()
      for (const socket of all) socket.close()
    },
  }
}
