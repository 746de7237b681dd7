/** Prometheus metrics of the bridge. */
import type { Metrics } from '@heliograph/shared/server/metrics/metrics'
import type { FrameQueue } from './frame-queue.ts'

export const createBridgeMetrics = ({ counter }: Metrics) => ({
  publishes: counter('publishes_total', 'Frames accepted from publishers'),
  deliveries: counter('deliveries_total', 'Frames sent to subscribers'),
  returns: counter('returns_total', 'Frames queued again because their socket closed before confirming them'),
  expired: counter('expired_total', 'Frames that expired without a confirmed delivery'),
  dropped: counter(
    'dropped_total',
    'Frames refused because a limit was reached or Redis was unavailable; each refusal closed the socket',
  ),
  ignored: counter('ignored_total', 'WebSocket messages that are not valid frames'),
})
export type BridgeMetrics = ReturnType<typeof createBridgeMetrics>

export const measure = ({ gauge }: Metrics, hub: { size(): { subscriptions: number } }, queue: FrameQueue): void => {
  gauge('subscriptions', 'Subscriptions of all clients', () => hub.size().subscriptions)
  gauge('queue_topics', 'Topics with queued frames', () => queue.size().topics)
  gauge('queue_frames', 'Frames that are queued, or sent and not confirmed', () => queue.size().frames)
  gauge('queue_bytes', 'Bytes of queued frames', () => queue.size().bytes)
  gauge('queue_stored', 'Queued frames that are on disk or in Redis', queue.stored)
}
