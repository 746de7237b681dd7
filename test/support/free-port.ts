/** Ports for servers that need to know their port before they start, or that restart on the same port. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'

/**
 * First port. It is outside the range of ephemeral ports on Linux, macOS and Windows, because an outgoing connection
 * could otherwise take a stopped server's port.
 */
const FIRST = 12_000
const AFTER_LAST = 32_000

/** Vitest numbers its parallel worker processes from 1. 0 stands for other programs. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0)
/** The number of a run of Vitest beside which another one runs: see test/complete.ts. */
const run = Number(process.env.TEST_RUN ?? 0)
const WORKERS = 2 * availableParallelism()
const RUNS = 2
const span = Math.floor((AFTER_LAST - FIRST) / (WORKERS * RUNS))
/** Each worker has its own range, because a server binds its port only seconds after it was found to be free. */
const first = FIRST + span * (run * WORKERS + (worker % WORKERS))

/** Ports are given in order from a random start, so no port is given twice while its server is starting. */
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

/** Returns a port of 127.0.0.1 that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const port = next
  next = port + 1 < first + span ? port + 1 : first
  return (await isFree(port)) ? port : freePort()
}
