/** Builds the relay from its parts and opens it to the network. */
import { defaultsOf } from '@heliograph/shared/server/config'
import type { SocketHandlers } from '@heliograph/shared/server/connection'
import type { Metrics } from '@heliograph/shared/server/metrics'
import { openParts } from '@heliograph/shared/server/parts'
import type { Running, Service } from '@heliograph/shared/server/run'
import { serve } from '@heliograph/shared/server/serve'
import { publicKeyRoute } from '@heliograph/shared/server/signing-key'
import { registrationRoute } from '@heliograph/shared/server/webhooks'
import { createIdentify } from './auth.ts'
import { type RelayConfig, relayRows } from './config.ts'
import { createDeliveries, type Peer } from './delivery.ts'
import { createHub } from './hub.ts'
import type { Client, Mailbox } from './mailbox.ts'
import { openLmdbMailbox } from './mailbox-lmdb.ts'
import { createRelayMetrics } from './metrics.ts'
import { createRpc } from './rpc.ts'
import { openWatchRegistry } from './watch-registry.ts'
import { watchedMailbox } from './watched-mailbox.ts'
import { createWatches } from './watches.ts'

export const relay: Service = { name: 'Heliograph Relay', version: '2.0', prefix: 'RELAY' }

/** Milliseconds between two looks for what has expired or must be pushed again. */
const TICK = 1000
/** Milliseconds between two notes that the clients of open sockets still come. */
const REFRESH = 24 * 60 * 60 * 1000

const measure = ({ gauge }: Metrics, mailbox: Mailbox): void => {
  gauge('mailbox_topics', 'Topics with clients or messages', () => mailbox.size().topics)
  gauge('mailbox_messages', 'Messages that wait', () => mailbox.size().messages)
  gauge('mailbox_bytes', 'Bytes of messages that wait', () => mailbox.size().bytes)
}

/**
 * Starts a relay; what `settings` leaves out is as in the table of rows. Throws if the folder or the address cannot be
 * had.
 */
export const startRelay = async (settings: Partial<RelayConfig> = {}): Promise<Running> => {
  const config: RelayConfig = { ...defaultsOf(relayRows), ...settings }
  const { log, metrics, refused, store, key, webhooks, close } = await openParts('relay', config)
  const counts = createRelayMetrics(metrics)
  const registry = openWatchRegistry({ store, log, limits: config })
  const watches = createWatches({ registry, webhooks, key, publicUrls: config.publicUrls })
  const isLive = (client: Client, topic: string): boolean => hub.isLive(client, topic)
  const mailbox = watchedMailbox({ mailbox: openLmdbMailbox({ store, log, limits: config }), watches, isLive, log })
  const deliveries = createDeliveries({
    mailbox,
    metrics: counts,
    log,
    window: config.unacknowledged,
    redeliverAfter: config.redeliverySeconds * 1000,
  })
  const identify = createIdentify(config)
  const hub = createHub(mailbox, deliveries, log)
  const rpc = createRpc({ mailbox, hub, deliveries, webhooks, watches, metrics: counts, refused, log, limits: config })
  measure(metrics, mailbox)
  metrics.gauge('watches', 'Watches of clients', registry.size)
  const socket: SocketHandlers<Client, Peer> = {
    limits: config,
    accept: request => identify(request),
    open: (connection, client) => hub.connect(client, connection),
    message: rpc.receive,
    refuse: rpc.refuse,
    drain: hub.drain,
    close: hub.disconnect,
    settled: rpc.settled,
  }
  const ticking = setInterval(() => {
    mailbox.sweep()
    deliveries.redeliver().catch(err => log.error({ err }, 'a redelivery failed'))
  }, TICK)
  const refreshing = setInterval(() => {
    hub.refresh().catch(err => log.error({ err }, 'the clients of open sockets were not noted'))
  }, REFRESH)
  return serve({
    service: relay,
    config,
    routes: {
      '/public-key': publicKeyRoute(key),
      '/subscribe': { POST: registrationRoute(webhooks, config.webhookToken) },
    },
    log,
    metrics,
    refused,
    socket,
    dispose: async () => {
      clearInterval(ticking)
      clearInterval(refreshing)
      await close()
    },
  })
}
