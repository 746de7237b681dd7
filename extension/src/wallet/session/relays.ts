/** The relay clients in use: one for each relay with topics or outgoing messages. */
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { Arrival } from './receive.ts'
import { createRelayClient, type RelayClient, type RelayStatus, type Sockets, type Work } from './relay-client.ts'
import type { Relay, SessionState } from './state.ts'

export type RelaysParts = {
  sockets: Sockets
  now(): number
  onMessage(arrival: Arrival): Promise<void>
  onPublished(id: number): Promise<void>
  onStatus(): void
}

export type Relays = {
  /** Applies a state to the clients. Null, which means that the wallet is locked, closes all of them. */
  sync(state: SessionState | null): void
  wake(): void
  tend(): void
  /** Returns a relay's status. Null if it has no client. */
  status(url: string): RelayStatus | null
}

const SEED_BYTES = 32
/** Maximum number of a wallet's relays. */
export const MAX_RELAYS = 20

/** Creates a relay's entry, with a new key. */
export const relayOf = (url: string): Relay => ({ url, seed: bytesToHex(randomBytes(SEED_BYTES)) })

const workOf = ({ pairings, sessions, outbox }: SessionState, url: string): Work => {
  const isHere = ({ relay }: { relay: string }) => relay === url
  return {
    topics: [...pairings, ...sessions].filter(isHere).map(({ topic }) => topic),
    outbox: outbox.filter(isHere),
  }
}

const isWork = ({ topics, outbox }: Work): boolean => topics.length + outbox.length > 0

export const createRelays = (parts: RelaysParts): Relays => {
  const clients = new Map<string, RelayClient>()
  let hasSynced = false

  const clientOf = ({ url, seed }: Relay): RelayClient => {
    const known = clients.get(url)
    if (known) return known
    const { sockets, now, onMessage, onPublished, onStatus } = parts
    const client = createRelayClient({
      url,
      seed,
      openSocket: sockets.open,
      now,
      onMessage: message => onMessage({ ...message, relay: url }),
      onPublished,
      onStatus,
    })
    clients.set(url, client)
    return client
  }

  const closeOthers = (urls: readonly string[]) => {
    for (const [url, client] of clients) {
      if (urls.includes(url)) continue
      client.close()
      clients.delete(url)
    }
  }

  return {
    sync: state => {
      closeOthers(state?.relays.map(({ url }) => url) ?? [])
      // While the wallet is locked, no connection may stay open. So this also closes sockets that a stopped worker left
      // open.
      if (!state) return parts.sockets.closeAll()
      const works = state.relays.map(relay => ({ relay, work: workOf(state, relay.url) }))
      // A worker that stopped after its last message may have left a socket open that is no longer needed.
      if (!hasSynced && !works.some(({ work }) => isWork(work))) parts.sockets.closeAll()
      hasSynced = true
      for (const { relay, work } of works) if (isWork(work) || clients.has(relay.url)) clientOf(relay).sync(work)
    },
    wake: () => {
      for (const client of clients.values()) client.wake()
    },
    tend: () => {
      for (const client of clients.values()) client.tend()
    },
    status: url => clients.get(url)?.status() ?? null,
  }
}
