/** What a method of the relay is: the table of all of them is in rpc.ts. */
import type { Logger } from '@heliograph/shared/server/log'
import type { Refused } from '@heliograph/shared/server/refusals'
import type { Webhooks } from '@heliograph/shared/server/webhooks'
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Deliveries, Peer } from './delivery.ts'
import type { Hub } from './hub.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import type { RelayMetrics } from './metrics.ts'
import type { Watches } from './watches.ts'

/**
 * `frameBytes`, `frameDepth` and `batchItems` bound a frame, `messageBytes` the message in it, `maxTtl` (seconds) how
 * long it may wait.
 */
export type RpcLimits = Readonly<Record<'frameBytes' | 'frameDepth' | 'batchItems' | 'messageBytes' | 'maxTtl', number>>

/** What the methods work with. */
export type Parts = {
  mailbox: Mailbox
  hub: Hub
  deliveries: Deliveries
  webhooks: Webhooks
  watches: Watches
  metrics: RelayMetrics
  refused: Refused
  log: Logger
  limits: RpcLimits
}

/** What a call gives, what happens when the answer is on its way, and the tokens that it costs beyond those of its frame. */
export type Outcome = { result: unknown; after?: () => void; cost?: number }

/** A method under a prefix. The params are as they came; what is wrong with a call is thrown as RpcError. */
export type Method = (peer: Peer, params: unknown, prefix: RelayPrefix) => Promise<Outcome>
