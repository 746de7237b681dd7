/** Opens the parts that both servers share. */

import { type FittedCommon, type Machine, type ResourceBounds, readMachine } from '../limits/machine.ts'
import { countRefusals } from '../limits/refusals.ts'
import { createShares, type ShareLimits } from '../limits/shares.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { createLog, type Logger } from '../process/log.ts'
import { measuredRedis, measureRedis } from '../redis/measured.ts'
import { joinNodes } from '../redis/nodes.ts'
import { createRedisReport, observeRegularly } from '../redis/observed.ts'
import { replicating } from '../redis/replication.ts'
import { refuseMissingRights } from '../redis/rights.ts'
import { createDamageLog } from '../storage/damage.ts'
import { markRedis } from '../storage/redis-mark.ts'
import { openReplicatedTables } from '../storage/replicated-tables.ts'
import { openOwnStore } from '../storage/store.ts'
import { refuseMoved } from '../transfer/folder-mark.ts'
import { createWebhookJournal } from '../webhooks/journal.ts'
import { openRedisCalls } from '../webhooks/redis-calls.ts'
import { openSharedSigningKey, openSigningKey, type SigningKey } from '../webhooks/signing-key.ts'
import { openCallStore } from '../webhooks/store.ts'
import { openWebhooks } from '../webhooks/webhooks.ts'

/** Milliseconds between checks for disk space to reclaim. */
const TIDY_EVERY = 1000

type Limits = FittedCommon & { durability: 'process' | 'disk'; redisUrl: readonly string[]; redisReplicas: number }
/** Computes the limits that are not set. */
type Fitting<C, L> = (set: C, machine: Machine) => { limits: L; bounds: ResourceBounds; shares: ShareLimits }

/** Connects to Redis and registers this server, if Redis is configured. Loads the client library only in this case. */
const openNodes = async (prefix: string, limits: Limits, log: Logger, metrics: Metrics) => {
  const { redisUrl, redisReplicas, durability, dataDir } = limits
  const [first, ...others] = redisUrl
  if (first === undefined) return undefined
  const { openRedis } = await import('../redis/open.ts')
  const open = () => openRedis([first, ...others], { durability })
  const primary = await open()
  await refuseMissingRights(primary, prefix, redisReplicas)
  const replicated = redisReplicas > 0 ? replicating(primary, await open(), redisReplicas) : primary
  const redis = measuredRedis(replicated, metrics)
  const nodes = await joinNodes({ redis, prefix, log })
  const tables = await openReplicatedTables({ redis, prefix, log, onLost: nodes.recovery.lost })
  const key = await openSharedSigningKey(redis, prefix, dataDir)
  for (const check of [tables.check, key.hold]) nodes.onTend(check)
  // Before everything else is restored, so that a server that starts then finds the key.
  nodes.recovery.onRestore(key.hold)
  nodes.start()
  const observer = observeRegularly(redis)
  measureRedis(metrics, redis, nodes, observer)
  const close = async (): Promise<void> => {
    tables.close()
    observer.close()
    await nodes.leave().catch(err => log.warn({ err }, 'the lease of this server could not be ended'))
    await redis.close()
  }
  return { redis, nodes, tables, key, report: createRedisReport(redis, nodes, observer), close }
}

/**
 * Resolves all limits and opens log, metrics, store, key and webhooks. Throws if the data directory cannot be
 * used.
 */
export const openParts = async <C extends { dataDir: string }, L extends Limits>(
  name: string,
  set: C,
  fit: Fitting<C, L>,
) => {
  const machine = readMachine(set.dataDir)
  const { limits: config, bounds, shares: shareLimits } = fit(set, machine)
  const log = createLog(name, config.logLevel)
  const shares = createShares(shareLimits)
  const metrics = createMetrics()
  const refusals = countRefusals(metrics)
  const damage = createDamageLog(log, metrics)
  if (config.redisUrl.length === 0) refuseMoved(config.dataDir)
  const store = await openOwnStore(config.dataDir, { durability: config.durability, onDamage: damage.note })
  metrics.gauge('disk_free_bytes', 'Free bytes of the disk with the data directory', store.freeBytes)
  const cluster = await openNodes(name, config, log, metrics)
  markRedis(config.dataDir, cluster !== undefined)
  const tables = cluster?.tables ?? store
  const key: SigningKey = cluster?.key ?? openSigningKey(config.dataDir)
  const journal = createWebhookJournal()
  const webhooks = openWebhooks({
    tables,
    callStore: cluster ? openRedisCalls({ ...cluster, prefix: name, log }) : openCallStore(store, log),
    log,
    metrics,
    key,
    journal,
    shares,
    rules: { allow: config.webhookAllow },
    timeoutMs: config.webhookSeconds * 1000,
    registrations: {
      perTopic: config.topicWebhooks,
      topics: config.webhookTopics,
      bytes: config.webhookBytes,
      days: config.webhookDays,
    },
    calls: { calls: config.webhookCalls, targetCalls: config.targetCalls, bytes: config.webhookBytes },
  })
  const tidying = setInterval(store.tidy, TIDY_EVERY)
  const close = async (): Promise<void> => {
    clearInterval(tidying)
    webhooks.close()
    await cluster?.close()
    await store.close()
  }
  const tellBounds = (): void =>
    log.info(
      { machine, bounds, shares: shareLimits },
      'limits of this start, and the share of one address, client or topic',
    )
  return {
    config,
    log,
    metrics,
    ...refusals,
    /** Returns a sentence for each reached limit, and one for a recent loss of data in Redis. */
    degraded: (): readonly string[] => [...refusals.degraded(), ...(cluster?.nodes.recovery.degraded() ?? [])],
    shares,
    store,
    /** Tables of this server or, with Redis, of all servers. */
    tables,
    /** Redis and the servers that share it. Undefined if everything is stored in the data directory. */
    cluster,
    /** Returns the reason why the service cannot work, or undefined. */
    failure: (): string | undefined => store.failure() ?? cluster?.redis.failure(),
    damage,
    key,
    journal,
    webhooks,
    /** Logs the limits with which the server starts, in one line. */
    tellBounds,
    close,
  }
}
