/** The parts that every server is made of. */
import { createLog } from './log.ts'
import type { FittedCommon, ResourceBounds } from './machine.ts'
import { createMetrics } from './metrics.ts'
import { countRefusals } from './refusals.ts'
import { createShares, type ShareLimits } from './shares.ts'
import { openSigningKey } from './signing-key.ts'
import { createDamageLog } from './storage/damage.ts'
import { openOwnStore } from './storage/store.ts'
import { createWebhookJournal } from './webhook-journal.ts'
import { openWebhooks } from './webhooks.ts'

/** Milliseconds between two looks for room on the disk that can be given back. */
const TIDY_EVERY = 1000

/** The settings of a server, its bounds, and what one holder may have of them. */
export type Fit = { limits: FittedCommon; bounds: ResourceBounds; shares: ShareLimits }

/** Log, metrics, store, key and webhooks as the settings have them. Throws if the data folder cannot be used. */
export const openParts = async (name: string, fit: Fit, durability: 'process' | 'disk') => {
  const { limits: config } = fit
  const log = createLog(name, config.logLevel)
  const shares = createShares(fit.shares)
  const metrics = createMetrics()
  const damage = createDamageLog(log, metrics)
  const store = await openOwnStore(config.dataDir, { durability, onDamage: damage.note })
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
  return { log, metrics, ...countRefusals(metrics), shares, store, damage, key, journal, webhooks, close }
}
