/** The relay under test, run as an operator runs it. It can be stopped and restarted on the same port with its data. */
import { freePort } from '../support/free-port.ts'
import { metricOf } from '../support/metrics.ts'
import { startServer } from '../support/server.ts'

export type Relay = {
  port: number
  /** Returns the number of messages accepted since its start. */
  accepted: () => Promise<number>
  /** Stops the relay gracefully with SIGTERM, or crashes it with SIGKILL, and starts it again. */
  restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  stop: () => Promise<unknown>
}

/** Starts a relay. `args` are further flags. */
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
