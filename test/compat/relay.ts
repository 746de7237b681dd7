/** The relay under test, as a person runs it: it ends and comes back where it was, with the data it had. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { metricOf } from '../support/metrics.ts'
import { startServer } from '../support/server.ts'

export type Relay = {
  port: number
  /** How many messages it has accepted since its start. */
  accepted: () => Promise<number>
  /** SIGTERM lets it end in good order, SIGKILL is a crash. */
  restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  stop: () => Promise<unknown>
}

/** A port that a server may have, and have again when it comes back. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** `args` are further flags of the relay. */
export const openRelay = async (dataDir: string, args: readonly string[] = []): Promise<Relay> => {
  const port = await freePort()
  const start = () => startServer('relay-server', { dataDir, port, args })
  let server = await start()
  return {
    port,
    accepted: () => metricOf(server.url, 'heliograph_publishes_total'),
    restart: async signal => {
      await server.stop(signal)
      server = await start()
    },
    stop: () => server.stop(),
  }
}
