/** Ports for servers that must know them before they start, or that are started again on the same one. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'

/** Below the ports that Linux, macOS and Windows give to outgoing connections, which would take the port of a stopped server. */
const FIRST = 12_000
const AFTER_LAST = 32_000

/** Vitest numbers the processes that run test files at the same time from 1. Other programs have the number 0. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0)
const spans = availableParallelism() + 1
const span = Math.floor((AFTER_LAST - FIRST) / spans)
/** Each worker has its own ports: a server takes its port only seconds after it was found to be free. */
const first = FIRST + span * (worker % spans)

/** Ports are given one after the other from a random one on, so that none is given twice while its server is starting. */
let next = randomInt(first, first + span)

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
  next = port + 1 < first + span ? port + 1 : first
  return (await isFree(port)) ? port : freePort()
}
