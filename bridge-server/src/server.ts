/** Assembles the bridge and starts listening. */
import { defaultsOf } from '@heliograph/shared/server/process/config'
import { openParts } from '@heliograph/shared/server/service/parts'
import type { SocketHandlers } from '@heliograph/shared/server/transport/connection'
import { json } from '@heliograph/shared/server/transport/http'
import { figuresRoute, pageRoute, readPage } from '@heliograph/shared/server/transport/page'
import { serve } from '@heliograph/shared/server/transport/serve'
import type { Running } from '@heliograph/shared/server/transport/service'
import { publicKeyRoute } from '@heliograph/shared/server/webhooks/signing-key'
import { registrationRoute } from '@heliograph/shared/server/webhooks/webhooks'
import { type BridgeConfig, bridge, bridgeRows, fitBridge } from './config.ts'
import type { Session } from './delivery.ts'
import { openFrameStore } from './frame-store.ts'
import { createHub } from './hub.ts'
import { createBridgeMetrics, measure } from './metrics.ts'
import { openLocalQueue } from './queue.ts'
import { openRedisQueue } from './redis/redis-queue.ts'
import { createStatus } from './status.ts'

/** Milliseconds between checks for expired and unstored frames. */
const TICK = 1000
/** Milliseconds between pings of a connection. Clients and proxies close a connection that is silent for longer. */
const PING_EVERY = 10_000

const statusPage = readPage(new URL('status.html', import.meta.url))

const info = { name: bridge.name, repository: 'heliograph', version: bridge.version }

/**
 * Starts a bridge. Settings default to their configuration rows. Throws if the data directory is in use or the address
 * is not available.
 */
export const startBridge = async (settings: Partial<BridgeConfig> = {}): Promise<Running> => {
  const parts = await openParts('bridge', { ...defaultsOf(bridgeRows), ...settings }, fitBridge)
  const { config, log, metrics, refused, degraded, shares, store, cluster, failure, damage, key, journal, webhooks } =
    parts
  const counts = createBridgeMetrics(metrics)
  const onExpired = (frames: number): void => counts.expired.inc(frames)
  const life = config.frameSeconds * 1000
  const queue = cluster
    ? await openRedisQueue({ ...cluster, limits: config, shares, life, log, onExpired })
    : openLocalQueue({ store: openFrameStore(store, log), limits: config, shares, life, onExpired })
  const notify = (topic: string) => void webhooks.notify(topic)
  const hub = createHub({ queue, limits: config, shares, metrics: counts, refused, log, notify })
  measure(metrics, hub, queue)
  const status = createStatus({
    limits: config,
    metrics: counts,
    hub,
    queue,
    store,
    failure,
    redis: cluster?.report,
    damage,
    refusals: parts,
    journal,
  })
  const socket: SocketHandlers<undefined, Session> = {
    limits: config,
    accept: () => undefined,
    open: (connection, _, payers) => hub.connect(connection, payers),
    message: hub.receive,
    refuse: hub.refuse,
    drain: hub.drain,
    pong: hub.confirm,
    close: hub.disconnect,
    settled: queue.settled,
  }
  const pinging = setInterval(hub.ping, PING_EVERY)
  const ticking = setInterval(() => {
    hub.tick()
    queue.tick().catch(err => log.error({ err }, 'removing expired frames failed'))
  }, TICK)
  const running = await serve({
    service: bridge,
    config,
    shares,
    routes: {
      '/info': { GET: () => json(info) },
      '/status': pageRoute(statusPage, config.statusToken),
      '/status.json': figuresRoute(status, config.statusToken),
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
      clearInterval(pinging)
      await queue.close()
      await parts.close()
    },
  })
  parts.tellBounds()
  return running
}
