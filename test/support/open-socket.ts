import { once } from 'node:events'
import type { WebSocket } from 'ws'

/**
 * Waits until a socket is open. `closed` resolves with its close code, or rejects on a protocol error. Rejects if the
 * connection fails.
 */
export const opened = async (socket: WebSocket): Promise<{ closed: Promise<number> }> => {
  const closed = once(socket, 'close').then(([code]) => Number(code))
  try {
    await once(socket, 'open')
  } catch (error) {
    // `closed` rejects for the same reason. No caller receives it, so its rejection is handled here.
    closed.catch(() => undefined)
    throw error
  }
  return { closed }
}
