/** The relay under test, run like an operator's. It can be stopped and restarted on the same port with its data. */
import { freePort } from '../support/free-port.ts'
import { metricOf } from '../support/metrics.ts'
import { startServer } from '../support/server.ts'

export type Relay = {
  port: number
  /** The number of messages accepted since its start. */
  accepted: () => Promise<number>
  /** Stops it gracefully with SIGTERM, or crashes it with SIGKILL. */
  restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  stop: () => Promise<unknown>
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
