/** The parts that every server is made of. */
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { countRefusals } from './refusals.ts'
import type { CommonConfig } from './rows.ts'
import { openSigningKey } from './signing-key.ts'
import { openOwnStore } from './store.ts'
import { createWebhookJournal } from './webhook-journal.ts'
import { openWebhooks } from './webhooks.ts'

/** Milliseconds between two looks for room on the disk that can be given back. */
const SHRINK_EVERY = 60_000

/** Log, metrics, store, key and webhooks as the settings have them. Throws if the data folder cannot be used. */
export const openParts = async (name: string, config: CommonConfig) => {
  const log = createLog(name, config.logLevel)
  const metrics = createMetrics()
  const store = await openOwnStore(config.dataDir)
  const key = openSigningKey(config.dataDir)
  const journal = createWebhookJournal()
  const webhooks = openWebhooks({
    store,
    log,
    metrics,
    key,
    journal,
    rules: { allow: config.webhookAllow },
    timeoutMs: config.webhookSeconds * 1000,
    registrations: { perTopic: config.topicWebhooks, topics: config.webhookTopics, bytes: config.webhookBytes },
    calls: { calls: config.webhookCalls, targetCalls: config.targetCalls, bytes: config.webhookBytes },
  })
  const shrinking = setInterval(() => {
    store.shrink().catch(err => log.warn({ err }, 'the store could not be made smaller'))
  }, SHRINK_EVERY)
  const close = async (): Promise<void> => {
    clearInterval(shrinking)
    webhooks.close()
    await store.close()
  }
  return { log, metrics, ...countRefusals(metrics), store, key, journal, webhooks, close }
}
