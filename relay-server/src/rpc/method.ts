/** Types of the relay's methods. rpc.ts has the table. */

import type { Refused } from '@heliograph/shared/server/limits/refusals'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Webhooks } from '@heliograph/shared/server/webhooks/webhooks'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Deliveries, Peer } from '../delivery/delivery.ts'
import type { Hub } from '../delivery/hub.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { RelayMetrics } from '../metrics.ts'
import type { Reports } from '../watches/reports.ts'
import type { Watches } from '../watches/watches.ts'

/**
 * `frameBytes`, `frameDepth` and `batchItems` limit a frame, `messageBytes` a message and `maxTtl` its time to live in
 * seconds.
 */
export type RpcLimits = Readonly<Record<'frameBytes' | 'frameDepth' | 'batchItems' | 'messageBytes' | 'maxTtl', number>>

/** The parts of the relay that methods use. */
export type Parts = {
  mailbox: Mailbox
  hub: Hub
  deliveries: Deliveries
  webhooks: Webhooks
  watches: Watches
  reports: Pick<Reports, 'published'>
  metrics: RelayMetrics
  refused: Refused
  log: Logger
  limits: RpcLimits
}

/** Work that follows an answer. `answeredAt` is the time of the answer in ms, as `performance.now` returns it. */
export type After = (answeredAt: number) => void

/** Result of a call, work to do after the response was sent, and additional cost in tokens. */
export type Outcome = { result: unknown; after?: After; cost?: number }

/** Handles a call of a method under a prefix. Validates the params and throws RpcError. */
export type Method = (peer: Peer, params: unknown, prefix: RelayPrefix) => Promise<Outcome>
