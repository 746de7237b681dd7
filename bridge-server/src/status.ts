/** The figures of the status page (status.html), as the page asks for them. They hold no topics, frames or clients. */
import { readBuild } from '@heliograph/shared/server/build'
import type { Refusals } from '@heliograph/shared/server/refusals'
import type { DamageLog, DamageReport } from '@heliograph/shared/server/storage/damage'
import type { Store } from '@heliograph/shared/server/storage/store'
import type { WebhookJournal } from '@heliograph/shared/server/webhook-journal'
import type { Hub } from './hub.ts'
import type { BridgeMetrics } from './metrics.ts'
import type { Queue, QueueLimits } from './queue.ts'

/** Times are in ms of Unix time. */
export type Status = {
  version: string
  commit?: string
  at: number
  startedAt: number
  /** Why the store takes no frames, while it does not. */
  failure?: string
  /** Why the server does only a part of its work, one sentence for each limit that all share and that is reached. */
  degraded: readonly string[]
  /** Names of the shares that somebody used up of late. */
  usedUp: readonly string[]
  /** What of the store could not be read since the start, if anything. */
  damage?: DamageReport
  connections: number
  /** Topics of all clients together. */
  subscriptions: number
  queue: { topics: number; frames: number; bytes: number; mostFrames: number; mostBytes: number; oldestAt?: number }
  /** Counts since the start. */
  frames: { accepted: number; sent: number; returned: number; expired: number }
  /** Targets that were called of late, and those of them that fail. */
  webhooks: { targets: number; failing: number }
  memoryBytes: number
  freeBytes: number
}

export type StatusOptions = {
  limits: QueueLimits
  metrics: BridgeMetrics
  hub: Pick<Hub, 'size'>
  queue: Pick<Queue, 'size'>
  store: Pick<Store, 'failure' | 'freeBytes'>
  damage: Pick<DamageLog, 'report'>
  refusals: Pick<Refusals, 'degraded' | 'usedUp'>
  journal: Pick<WebhookJournal, 'states'>
  /** Milliseconds of Unix time. */
  now?: () => number
}

/** Reads the status as JSON. */
export const createStatus = (options: StatusOptions): (() => string) => {
  const { limits, metrics, hub, queue, store, damage, refusals, journal, now = Date.now } = options
  const startedAt = now()
  const { version, commit } = readBuild()
  return () => {
    const failure = store.failure()
    const targets = journal.states()
    const status: Status = {
      version,
      ...(commit !== undefined && { commit }),
      at: now(),
      startedAt,
      ...(failure !== undefined && { failure }),
      degraded: refusals.degraded(),
      usedUp: refusals.usedUp(),
      ...(damage.report().places > 0 && { damage: damage.report() }),
      ...hub.size(),
      queue: { ...queue.size(), mostFrames: limits.storeFrames, mostBytes: limits.storeBytes },
      frames: {
        accepted: metrics.publishes.value,
        sent: metrics.deliveries.value,
        returned: metrics.returns.value,
        expired: metrics.expired.value,
      },
      webhooks: { targets: targets.length, failing: targets.filter(({ state }) => state === 'retrying').length },
      memoryBytes: process.memoryUsage.rss(),
      freeBytes: store.freeBytes(),
    }
    return JSON.stringify(status)
  }
}
