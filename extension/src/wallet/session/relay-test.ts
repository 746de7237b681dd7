/** Tries a relay before the wallet takes it: connects as a client that nobody knows, and asks for a topic of nobody. */
import { rpcError } from '@heliograph/shared/errors'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { createRelayClient, type OpenSocket } from './relay-client.ts'

const randomHex = (): string => bytesToHex(randomBytes(32))

/** How long the relay took to answer, in ms. Throws -32002 with the reason when it cannot be used. */
export const testRelay = (url: string, parts: { openSocket: OpenSocket; now(): number }): Promise<number> =>
  new Promise((resolve, reject) => {
    const client = createRelayClient({
      ...parts,
      // A name of its own: the connection of the wallet to the same relay is left alone.
      openSocket: (name, ...rest) => parts.openSocket(`test ${name}`, ...rest),
      url,
      seed: randomHex(),
      onMessage: async () => undefined,
      onPublished: async () => undefined,
      onStatus: () => {
        const { phase, latency, error } = client.status()
        if (phase === 'connected' && latency !== null) {
          resolve(latency)
          client.sync({ topics: [], outbox: [] })
        }
        if (phase === 'waiting') {
          client.close()
          reject(rpcError('resourceUnavailable', `${error} Nothing was saved.`))
        }
      },
    })
    client.sync({ topics: [randomHex()], outbox: [] })
  })
