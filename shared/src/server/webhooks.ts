/**
 * Webhooks of topics, as the relay and the bridge register and call them. Whoever knows a topic may register one: what
 * a call says is `{"topic": …}`, that the topic is in use, and nothing else.
 */
import { ValueError } from '../evm/hex.ts'
import { parseRegistration, type Registration } from '../wire/webhook.ts'
import { type Handler, HttpError, json } from './http.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { BlockedTarget, checkTarget, type TargetRules } from './public-fetch.ts'
import type { Store } from './store.ts'
import { openWebhookQueue } from './webhook-queue.ts'

export type Webhooks = {
  /**
   * Adds a webhook to a topic; the same twice is one. Resolves when it survives a crash. Throws ValueError for an address
   * that must not be called, HttpError 409 when a bound is reached.
   */
  register: (registration: Registration) => Promise<void>
  /** Calls the webhooks of a topic soon. */
  notify: (topic: string) => void
  close: () => void
}

export type WebhookOptions = {
  store: Store
  log: Logger
  metrics: Metrics
  rules: TargetRules
  /** Most webhooks of a topic, and most topics with webhooks. */
  perTopic: number
  topics: number
  /** Milliseconds from a first failure to the next attempt. */
  firstRetry?: number
}

const refuseBlocked = (webhook: string, rules: TargetRules): void => {
  try {
    checkTarget(new URL(webhook), rules)
  } catch (thrown) {
    throw thrown instanceof BlockedTarget ? new ValueError(`body.webhook: ${thrown.message}`) : thrown
  }
}

export const openWebhooks = (options: WebhookOptions): Webhooks => {
  const { store, rules, perTopic, topics } = options
  const table = store.table<readonly string[], string>('webhooks', 'msgpack')
  const registered = new Map<string, readonly string[]>()
  for (const { key, value } of table.getRange()) registered.set(key, value)
  const queue = openWebhookQueue(options)

  return {
    register: async ({ topic, webhook }) => {
      refuseBlocked(webhook, rules)
      const before = registered.get(topic) ?? []
      const after = before.includes(webhook) ? before : [...before, webhook]
      if (after.length > perTopic) throw new HttpError(409, `body.webhook: a topic has at most ${perTopic} webhooks`)
      if (before.length === 0 && registered.size >= topics)
        throw new HttpError(409, `body.topic: at most ${topics} topics have webhooks`)
      registered.set(topic, after)
      await store.write([() => table.put(topic, registered.get(topic) ?? after)])
    },
    notify: topic => {
      for (const webhook of registered.get(topic) ?? []) queue.add(topic, webhook)
    },
    close: queue.close,
  }
}

/** `POST /subscribe`: registers and answers `{"success": true}`. */
export const registrationRoute =
  (webhooks: Webhooks): Handler =>
  async ({ body }) => {
    await webhooks.register(parseRegistration(body))
    return json({ success: true })
  }
