/**
 * Webhooks, as the relay and the bridge register and call them. Whoever knows a topic may register one for it: what a
 * call says is `{"topic": …}`, that the topic is in use, and nothing else.
 */
import { ValueError } from '../evm/hex.ts'
import { parseRegistration, type Registration } from '../wire/webhook.ts'
import { refuseStranger } from './bearer.ts'
import { type Handler, json } from './http.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { BlockedTarget, checkTarget, type TargetRules } from './public-fetch.ts'
import { createResolve, type Resolve } from './resolve.ts'
import type { SigningKey } from './signing-key.ts'
import type { Store } from './storage/store.ts'
import type { WebhookJournal } from './webhook-journal.ts'
import { createPost } from './webhook-post.ts'
import { type CallRequest, openWebhookQueue, type QueueLimits } from './webhook-queue.ts'
import { openRegistrations, type RegistrationLimits } from './webhook-registrations.ts'

export type Webhooks = {
  /**
   * Adds a webhook to a topic; the same twice is one. Resolves when it survives a crash. Throws ValueError for an address
   * that must not be called, HttpError 409 when a bound is reached.
   */
  register: (registration: Registration) => Promise<void>
  /**
   * Calls the webhooks of a topic soon. The calls are stored in one commit with what else is stored in this turn.
   * Resolves when they survive a crash and never rejects; nothing for a topic without webhooks.
   */
  notify: (topic: string) => Promise<unknown> | undefined
  /** Makes any other call in the same way. */
  call: (request: CallRequest) => Promise<unknown>
  /** Makes no further call on behalf of a registration. */
  cancel: (registration: string) => void
  /** Refuses an address that must not be called, as far as it can be told. `place` is where it stood. Throws ValueError. */
  refuseTarget: (url: string, place: string) => void
  close: () => void
}

export type WebhookOptions = {
  store: Store
  log: Logger
  metrics: Metrics
  key: SigningKey
  journal: WebhookJournal
  rules: TargetRules
  /** Milliseconds a call may take. */
  timeoutMs: number
  registrations: RegistrationLimits
  calls: QueueLimits
  resolve?: Resolve
  /** Milliseconds from a first failure to the next attempt. */
  firstRetry?: number
}

export const openWebhooks = (options: WebhookOptions): Webhooks => {
  const { store, log, metrics, key, rules, timeoutMs, resolve = createResolve() } = options
  const registrations = openRegistrations(store, log, options.registrations)
  const { post, close } = createPost({ rules, resolve, key, timeoutMs })
  const queue = openWebhookQueue({
    store,
    log,
    journal: options.journal,
    outcomes: metrics.counter('webhook_calls_total', 'Calls to webhooks by outcome', 'outcome'),
    post,
    limits: options.calls,
    onUnwanted: (content, url) => {
      if ('topic' in content) registrations.remove(content.topic, url)
    },
    ...(options.firstRetry !== undefined && { firstRetry: options.firstRetry }),
  })
  metrics.gauge('webhook_topics', 'Topics with webhooks', registrations.size)
  metrics.gauge('webhook_calls', 'Calls to webhooks that are owed', queue.size)

  const refuseTarget = (url: string, place: string): void => {
    try {
      checkTarget(new URL(url), rules)
    } catch (thrown) {
      throw thrown instanceof BlockedTarget ? new ValueError(`${place}: ${thrown.message}`) : thrown
    }
  }

  return {
    register: async ({ topic, webhook }) => {
      refuseTarget(webhook, 'body.webhook')
      await registrations.add(topic, webhook)
    },
    notify: topic => {
      const urls = registrations.of(topic)
      if (!urls) return undefined
      const calls = urls.map(url => {
        const registration = `${url} ${topic}`
        return queue.add({ url, registration, key: registration, content: { topic } })
      })
      return Promise.all(calls)
    },
    call: queue.add,
    cancel: queue.cancel,
    refuseTarget,
    close: () => {
      queue.close()
      close()
    },
  }
}

/** `POST /subscribe`: registers and answers `{"success": true}`. With a token it is for those who have that. */
export const registrationRoute =
  (webhooks: Webhooks, token: string | undefined): Handler =>
  async request => {
    refuseStranger(request, token)
    await webhooks.register(parseRegistration(request.body))
    return json({ success: true })
  }
