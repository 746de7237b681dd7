/** Opens the parts that both servers share. */

import { type FittedCommon, type Machine, type ResourceBounds, readMachine } from '../limits/machine.ts'
import { countRefusals } from '../limits/refusals.ts'
import { createShares, type ShareLimits } from '../limits/shares.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createLog } from '../process/log.ts'
import { createDamageLog } from '../storage/damage.ts'
import { openOwnStore } from '../storage/store.ts'
import { createWebhookJournal } from '../webhooks/journal.ts'
import { openSigningKey } from '../webhooks/signing-key.ts'
import { openWebhooks } from '../webhooks/webhooks.ts'

/** Milliseconds between checks for disk space to reclaim. */
const TIDY_EVERY = 1000

type Limits = FittedCommon & { durability: 'process' | 'disk' }
/** Resolves limits that are not set. */
type Fitting<C, L> = (set: C, machine: Machine) => { limits: L; bounds: ResourceBounds; shares: ShareLimits }

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
  const damage = createDamageLog(log, metrics)
  const store = await openOwnStore(config.dataDir, { durability: config.durability, onDamage: damage.note })
  const key = openSigningKey(config.dataDir)
  const journal = createWebhookJournal()
  const webhooks = openWebhooks({
    store,
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
    await store.close()
  }
  const tellBounds = (): void =>
    log.info(
      { machine, bounds, shares: shareLimits },
      'bounds of this start, and the share of one address, client or topic',
    )
  return {
    config,
    log,
    metrics,
    ...countRefusals(metrics),
    shares,
    store,
    damage,
    key,
    journal,
    webhooks,
    /** Logs the limits of this start in one line. */
    tellBounds,
    close,
  }
}
