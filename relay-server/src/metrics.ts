/** Prometheus metrics of the relay. docs/metrics.md explains their use. */
import type { Metrics } from '@heliograph/shared/server/metrics/metrics'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Bucket bounds in seconds of a publish's response time, which includes one commit. */
const ANSWER = [
  0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5, 1, 2,
  5, 10,
]
/** Bucket bounds in seconds. None is below 1 ms, because the times are in whole milliseconds. */
const ROUND_TRIP = [
  0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75,
  1, 1.5, 2, 3, 5, 10, 30,
]
/** Bucket bounds in seconds, up to the longest time that a message is stored for an offline recipient. */
const DELIVERY = [
  0.001,
  0.002,
  0.005,
  0.01,
  0.02,
  0.05,
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  30,
  MINUTE,
  5 * MINUTE,
  HOUR,
  6 * HOUR,
  DAY,
  7 * DAY,
  30 * DAY,
]

export const createRelayMetrics = ({ counter, histogram }: Metrics) => ({
  publishes: counter('publishes_total', 'Messages accepted from publishers, repeats included'),
  deliveries: counter('deliveries_total', 'Messages pushed to subscribers for the first time'),
  redeliveries: counter('redeliveries_total', 'Messages pushed again because they were not acknowledged in time'),
  acknowledgements: counter('acknowledgements_total', 'Deliveries acknowledged'),
  expired: counter('expired_total', 'Messages that expired before all recipients acknowledged them'),
  rejects: counter('rejects_total', 'Requests answered with an error, by error name', 'reason'),
  refusedConnections: counter(
    'refused_connections_total',
    'Connections refused by authentication, by HTTP status',
    'status',
  ),
  answerSeconds: histogram('answer_seconds', 'Seconds from a publish request to its response', ANSWER),
  deliverySeconds: histogram('delivery_seconds', 'Seconds from publishing a message to its first push', DELIVERY),
  acknowledgementSeconds: histogram(
    'acknowledgement_seconds',
    'Seconds from publishing a message to its acknowledgement by a subscriber that was connected the whole time',
    ROUND_TRIP,
  ),
})

/** Returns a function that observes the seconds from publishing at another server on Redis to reading here. */
export const createArrivalMetric = ({ histogram }: Metrics): ((seconds: number) => void) =>
  histogram(
    'redis_arrival_seconds',
    'Seconds from publishing a message at another server to reading it here, by the clocks of both',
    ROUND_TRIP,
  ).observe

export type RelayMetrics = ReturnType<typeof createRelayMetrics>
