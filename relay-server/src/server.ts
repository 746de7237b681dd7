/** Assembles the relay and starts listening. */
import { NOBODY, type Payers, type Shares, usedUpShare } from '@heliograph/shared/server/limits/shares'
import type { Metrics } from '@heliograph/shared/server/metrics/metrics'
import { defaultsOf } from '@heliograph/shared/server/process/config'
import { oneAtATime } from '@heliograph/shared/server/process/one-at-a-time'
import { createTurnClock } from '@heliograph/shared/server/process/turn'
import { openParts } from '@heliograph/shared/server/service/parts'
import { openUptime } from '@heliograph/shared/server/service/uptime'
import { type SocketHandlers, SocketRefusal } from '@heliograph/shared/server/transport/connection'
import { HttpError, type RequestHead } from '@heliograph/shared/server/transport/http'
import { figuresRoute, pageRoute, readPage } from '@heliograph/shared/server/transport/page'
import { serve } from '@heliograph/shared/server/transport/serve'
import type { Running } from '@heliograph/shared/server/transport/service'
import { publicKeyRoute } from '@heliograph/shared/server/webhooks/signing-key'
import { registrationRoute } from '@heliograph/shared/server/webhooks/webhooks'
import { createIdentify, type Identify } from './auth.ts'
import { fitRelay, type RelayConfig, relay, relayRows } from './config.ts'
import { createDeliveries, type Peer } from './delivery/delivery.ts'
import { createHub } from './delivery/hub.ts'
import { openLocalMailbox } from './mailbox/local-mailbox.ts'
import type { Client, Mailbox } from './mailbox/mailbox.ts'
import { LOG_NAME } from './mailbox/message-log.ts'
import { openRedisMailbox } from './mailbox/redis/redis-mailbox.ts'
import { createArrivalMetric, createRelayMetrics, type RelayMetrics } from './metrics.ts'
import { relayHttpError } from './reasons.ts'
import { createRpc } from './rpc/rpc.ts'
import { watchExposure } from './status/exposure.ts'
import { createStatus } from './status/status.ts'
import { openWatchRegistry } from './watches/registry.ts'
import { createReports } from './watches/reports.ts'
import { createWatches } from './watches/watches.ts'

/** Milliseconds between checks for expired messages and overdue acknowledgements. */
const TICK = 1000
/** Milliseconds between renewals of connected clients' subscriptions. */
const REFRESH = 60 * 60 * 1000

const measure = ({ gauge }: Metrics, mailbox: Mailbox): void => {
  gauge('mailbox_topics', 'Topics with subscribed clients or stored messages', () => mailbox.size().topics)
  gauge('mailbox_messages', 'Stored messages', () => mailbox.size().messages)
  gauge('mailbox_bytes', 'Bytes of stored messages', () => mailbox.size().bytes)
  gauge('mailbox_subscriptions', 'Subscriptions of all clients', () => mailbox.size().subscriptions)
}

const statusOf = (refusal: unknown): number | 'other' => {
  if (refusal instanceof SocketRefusal) return refusal.code
  return refusal instanceof HttpError ? refusal.status : 'other'
}

/** Wraps `identify` to count refusals. */
const counted =
  (identify: Identify, { refusedConnections }: RelayMetrics) =>
  (request: RequestHead): Client => {
    try {
      return identify(request)
    } catch (refusal) {
      refusedConnections.inc({ status: statusOf(refusal) })
      throw refusal
    }
  }

/** Returns the accounts to charge: the address and the client, or none if the address is exempt from limits. */
const payersOf = (shares: Shares, address: Payers, client: Client): Payers =>
  address.length === 0 ? NOBODY : [...address, shares.accountOf('client', client)]

/** Throws HttpError 429 if the client has too many sockets. The limit of its address was checked before. */
const refuseClient = (shares: Shares, address: Payers, client: Client): void => {
  const payers = payersOf(shares, address, client).slice(address.length)
  const spent = shares.exhausted(payers, 'connections', 1)
  if (spent) throw relayHttpError(429, 'shareUsedUp', usedUpShare(spent, 'connections', shares.limits))
}

const statusPage = readPage(new URL('status/status.html', import.meta.url))

/**
 * Starts a relay. Settings default to their configuration rows. Throws if the data directory is in use or the address
 * is not available.
 */
export const startRelay = async (settings: Partial<RelayConfig> = {}): Promise<Running> => {
  const parts = await openParts('relay', { ...defaultsOf(relayRows), ...settings }, fitRelay)
  const { config, log, metrics, refused, degraded, shares, store, cluster, failure, damage, key, journal, webhooks } =
    parts
  const counts = createRelayMetrics(metrics)
  const registry = openWatchRegistry({ tables: parts.tables, log, limits: config, shares })
  const watches = createWatches({ registry, webhooks, key, publicUrls: config.publicUrls })
  // The clock is read once per turn of the event loop, because each message needs the time several times.
  const unixTime = createTurnClock(Date.now)
  const isLive = (client: Client, topic: string): boolean => hub.isLive(client, topic)
  const onExpired = (messages: number, bytes: number): void => {
    counts.expired.inc(messages)
    status.expired(messages, bytes)
  }
  const stored = cluster
    ? await openRedisMailbox({
        ...cluster,
        limits: config,
        shares,
        log,
        onMessages: topic => hub.offer(topic, undefined),
        onExpired,
        onArrival: createArrivalMetric(metrics),
      })
    : openLocalMailbox({
        storage: store.log(LOG_NAME),
        failure: store.failure,
        log,
        limits: config,
        shares,
        onExpired,
        now: unixTime,
      })
  const reports = createReports({ mailbox: stored, watches, isLive, log })
  const mailbox = { ...stored, ...reports.recipients }
  const deliveries = createDeliveries({
    mailbox,
    metrics: counts,
    log,
    window: config.unacknowledged,
    redeliverAfter: config.redeliverySeconds * 1000,
    unixTime,
  })
  const hub = createHub(mailbox, deliveries, log)
  cluster?.nodes.recovery.onRestore(hub.restore)
  const rpc = createRpc({
    mailbox,
    hub,
    deliveries,
    webhooks,
    watches,
    reports,
    metrics: counts,
    refused,
    log,
    limits: config,
  })
  measure(metrics, mailbox)
  metrics.gauge('watches', 'Watches of clients', registry.size)
  const uptime = openUptime(store, log)
  let connected = 0
  const status = createStatus({
    server: {
      protocol: relay.version,
      // A getter returns the current key, because the key may change: see SharedSigningKey.
      get publicKey() {
        return key.publicKey
      },
      maxTtl: config.maxTtl,
      messageBytes: config.messageBytes,
    },
    storeBytes: config.storeBytes,
    metrics: counts,
    mailbox,
    store: { failure, freeBytes: store.freeBytes },
    redis: cluster?.report,
    damage,
    refusals: parts,
    journal,
    uptime,
    connections: () => connected,
  })
  const noticeExposure = watchExposure({ ...config, log })
  const identify = counted(createIdentify(config), counts)
  const socket: SocketHandlers<Client, Peer> = {
    limits: config,
    accept: (request, address) => {
      noticeExposure(request)
      const client = identify(request)
      refuseClient(shares, address, client)
      return client
    },
    open: (connection, client, address) => {
      connected += 1
      const payers = payersOf(shares, address, client)
      shares.take(payers.slice(address.length), 'connections', 1)
      return hub.connect(client, connection, payers)
    },
    message: rpc.receive,
    refuse: rpc.refuse,
    drain: hub.drain,
    close: peer => {
      connected -= 1
      shares.give(peer.payers.slice(1), 'connections', 1)
      hub.disconnect(peer)
    },
    settled: rpc.settled,
  }
  const sweep = oneAtATime(mailbox.sweep, err => log.error({ err }, 'removing expired messages failed'))
  const redeliver = oneAtATime(deliveries.redeliver, err => log.error({ err }, 'a redelivery failed'))
  const ticking = setInterval(() => {
    sweep()
    void status.tick()
    redeliver()
  }, TICK)
  const refreshing = setInterval(() => {
    hub.refresh().catch(err => log.error({ err }, 'updating the activity of connected clients failed'))
  }, REFRESH)
  const running = await serve({
    service: relay,
    config,
    shares,
    routes: {
      '/': pageRoute(statusPage, config.statusToken),
      '/status.json': figuresRoute(status.json, config.statusToken),
      '/public-key': publicKeyRoute(key),
      '/subscribe': { POST: registrationRoute(webhooks, shares, config) },
    },
    log,
    metrics,
    refused,
    failure,
    degraded,
    socket,
    dispose: async () => {
      clearInterval(ticking)
      clearInterval(refreshing)
      await stored.close()
      await uptime.save()
      await parts.close()
    },
  })
  parts.tellBounds()
  return running
}
