/** Tests a relay before it is added: connects with a random key and subscribes to a random topic. */
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { createRelayClient, type OpenSocket } from './relay-client.ts'

const randomHex = (): string => bytesToHex(randomBytes(32))

/** Returns the relay's response time in ms. Throws -32002 with the reason if the relay is unusable. */
export const testRelay = (url: string, parts: { openSocket: OpenSocket; now(): number }): Promise<number> =>
  new Promise((resolve, reject) => {
    const client = createRelayClient({
      ...parts,
      // A separate name, so the wallet's own connection to the same relay is not adopted.
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
          reject(error)
        }
      },
    })
    client.sync({ topics: [randomHex()], outbox: [] })
  })
