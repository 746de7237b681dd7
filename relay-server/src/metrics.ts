/** What the relay counts. */
import type { Metrics } from '@heliograph/shared/server/metrics'

export const createRelayMetrics = ({ counter }: Metrics) => ({
  publishes: counter('publishes_total', 'Messages accepted from publishers, repeats included'),
  deliveries: counter('deliveries_total', 'Messages pushed to subscribers for the first time'),
  redeliveries: counter('redeliveries_total', 'Messages pushed again because nobody acknowledged them'),
  acknowledgements: counter('acknowledgements_total', 'Deliveries acknowledged'),
  rejects: counter('rejects_total', 'Requests answered with an error, by its code', 'code'),
})
export type RelayMetrics = ReturnType<typeof createRelayMetrics>
