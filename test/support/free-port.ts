/** Ports for servers that are started again on the same one. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux, macOS and Windows give to outgoing connections, which would take the port of a stopped server. */
const FIRST = 12_000
const AFTER_LAST = 32_000

/** Ports are given one after the other from a random one on, so that none is given twice while its server is starting. */
let next = randomInt(FIRST, AFTER_LAST)

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen(port, '127.0.0.1')
  try {
    await listening
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** A port of 127.0.0.1 that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const port = next
  next = port + 1 < AFTER_LAST ? port + 1 : FIRST
  return (await isFree(port)) ? port : freePort()
}
