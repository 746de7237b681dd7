/** Collects the figures of the status page (status.html). They name no topics, frames or clients. */

import type { Refusals } from '@heliograph/shared/server/limits/refusals'
import { readCounter } from '@heliograph/shared/server/metrics/metrics'
import { readBuild } from '@heliograph/shared/server/process/build'
import type { RedisReport } from '@heliograph/shared/server/redis/observed'
import type { DamageLog, DamageReport } from '@heliograph/shared/server/storage/damage'
import type { Store } from '@heliograph/shared/server/storage/store'
import type { WebhookJournal } from '@heliograph/shared/server/webhooks/journal'
import type { FrameQueue, QueueLimits } from './frame-queue.ts'
import type { Hub } from './hub.ts'
import type { BridgeMetrics } from './metrics.ts'

/** Times are Unix time in milliseconds. */
export type Status = {
  version: string
  commit?: string
  at: number
  startedAt: number
  /** Reason why the store or Redis refuses frames. Absent while it accepts them. */
  failure?: string
  /** One clause for each shared limit that is reached: "the limit … is reached". */
  degraded: readonly string[]
  /** Names of shares that were used up recently. */
  usedUp: readonly string[]
  /** Damage that was found in the store since the start. Absent if there is none. */
  damage?: DamageReport
  /** State of Redis and the bridges on it. Absent if the queue is in this process. */
  redis?: RedisReport
  connections: number
  /** Subscriptions of all clients. */
  subscriptions: number
  queue: { topics: number; frames: number; bytes: number; mostFrames: number; mostBytes: number; oldestAt?: number }
  /**
   * Counts since the start. `returned` counts frames that were queued again because their socket closed unconfirmed.
   */
  frames: { accepted: number; sent: number; returned: number; expired: number }
  /** Number of webhook targets called recently, and how many of them fail. */
  webhooks: { targets: number; failing: number }
  memoryBytes: number
  /** Absent if the file system does not report it. */
  freeBytes?: number
}

export type StatusOptions = {
  limits: QueueLimits
  metrics: BridgeMetrics
  hub: Pick<Hub, 'size'>
  queue: Pick<FrameQueue, 'size'>
  store: Pick<Store, 'freeBytes'>
  failure: () => string | undefined
  redis: (() => RedisReport) | undefined
  damage: Pick<DamageLog, 'report'>
  refusals: Pick<Refusals, 'degraded' | 'usedUp'>
  journal: Pick<WebhookJournal, 'states'>
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

/** Returns a function that builds the status as JSON. */
export const createStatus = (options: StatusOptions): (() => Promise<string>) => {
  const { limits, metrics, hub, queue, store, redis, damage, refusals, journal, now = Date.now } = options
  const startedAt = now()
  const { version, commit } = readBuild()
  return async () => {
    const failure = options.failure()
    const targets = journal.states()
    const freeBytes = store.freeBytes()
    const status: Status = {
      version,
      ...(commit !== undefined && { commit }),
      at: now(),
      startedAt,
      ...(failure !== undefined && { failure }),
      degraded: refusals.degraded(),
      usedUp: refusals.usedUp(),
      ...(damage.report().places > 0 && { damage: damage.report() }),
      ...(redis && { redis: redis() }),
      ...hub.size(),
      queue: { ...queue.size(), mostFrames: limits.storeFrames, mostBytes: limits.storeBytes },
      frames: {
        accepted: await readCounter(metrics.publishes),
        sent: await readCounter(metrics.deliveries),
        returned: await readCounter(metrics.returns),
        expired: await readCounter(metrics.expired),
      },
      webhooks: { targets: targets.length, failing: targets.filter(({ state }) => state === 'retrying').length },
      memoryBytes: process.memoryUsage.rss(),
      ...(freeBytes !== undefined && { freeBytes }),
    }
    return JSON.stringify(status)
  }
}
