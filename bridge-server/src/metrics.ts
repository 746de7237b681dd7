/** What the bridge counts. */
import type { Metrics } from '@heliograph/shared/server/metrics'
import type { FrameStore } from './frame-store.ts'
import type { Hub } from './hub.ts'
import type { Queue } from './queue.ts'

export const createBridgeMetrics = ({ counter }: Metrics) => ({
  publishes: counter('publishes_total', 'Frames accepted from publishers'),
  deliveries: counter('deliveries_total', 'Frames sent to subscribers'),
  returns: counter('returns_total', 'Frames sent to a socket that ended before it had them, and that wait again'),
  expired: counter('expired_total', 'Frames that nobody came for in time'),
  dropped: counter('dropped_total', 'Frames that were not kept because a limit was reached; each closed its socket'),
  ignored: counter('ignored_total', 'Frames that are none of the protocol'),
})
export type BridgeMetrics = ReturnType<typeof createBridgeMetrics>

export const measure = ({ gauge }: Metrics, hub: Hub, queue: Queue, store: FrameStore): void => {
  gauge('subscriptions', 'Topics of all clients together', () => hub.size().subscriptions)
  gauge('queue_topics', 'Topics with frames that wait', () => queue.size().topics)
  gauge(
    'queue_frames',
    'Frames that wait, or of which it is not known yet that they have arrived',
    () => queue.size().frames,
  )
  gauge('queue_bytes', 'Bytes of these frames', () => queue.size().bytes)
  gauge('queue_stored', 'Those of them that are on the disk', store.count)
}
