/**
 * Webhooks of relay and bridge. The body of a call is `{"topic": …}`, which says only that the topic has a message. A
 * URL that was registered neither with the operator's token nor from this machine is called only after its response to
 * `{"challenge": …}` has contained the challenge.
 */
import { randomBytes } from 'node:crypto'
import { valueErrorsOf } from '../../evm/value-error.ts'
import { parseRegistration, type WebhookRegistration } from '../../wire/webhook.ts'
import type { Caller } from '../limits/addresses.ts'
import { NOBODY, type Shares } from '../limits/shares.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Logger } from '../process/log.ts'
import { serverReasons } from '../reasons.ts'
import type { Tables } from '../storage/store.ts'
import { refuseStranger } from '../transport/bearer.ts'
import { type Handler, httpError, json } from '../transport/http.ts'
import type { QueueLimits } from './call-ledger.ts'
import type { WebhookJournal } from './journal.ts'
import { createPost } from './post.ts'
import { BlockedTarget, checkTarget, type TargetRules } from './public-fetch.ts'
import { type CallRequest, openWebhookQueue } from './queue.ts'
import { openRegistrations, type Registrant, type RegistrationLimits } from './registrations.ts'
import { createResolve, type Resolve } from './resolve.ts'
import type { SigningKey } from './signing-key.ts'
import type { CallStore } from './store.ts'

const valueError = valueErrorsOf(serverReasons)

export type Webhooks = {
  /**
   * Adds or renews a webhook, and sends a challenge if needed. Resolves when the webhook is durable. Throws ValueError
   * for a URL that may not be called, HttpError 409 if a limit is reached, 429 if a share is used up.
   */
  register: (registration: WebhookRegistration, registrant: Registrant) => Promise<void>
  /**
   * Queues calls to the webhooks of a topic. They are written in this turn, to the log `tables`. A relay's
   * messages are in another log, so its publishers wait for both. Resolves when the calls are durable and never rejects.
   * Returns undefined if the topic has no webhooks.
   */
  notify: (topic: string) => Promise<unknown> | undefined
  /** Queues any other call. */
  call: (request: CallRequest) => Promise<unknown>
  /** Drops the queued calls of a registration. */
  cancel: (registration: string) => void
  /** Throws ValueError if the URL shows that it may not be called. `place` names the member in the error. */
  refuseTarget: (url: string, place: string) => void
  close: () => void
}

export type WebhookOptions = {
  /** Holds the registrations. */
  tables: Tables
  /** Holds the queued calls. */
  callStore: CallStore
  log: Logger
  metrics: Metrics
  key: SigningKey
  journal: WebhookJournal
  rules: TargetRules
  /** Timeout of a call in milliseconds. */
  timeoutMs: number
  shares: Shares
  registrations: RegistrationLimits
  calls: QueueLimits
  resolve?: Resolve
  /** Milliseconds from a first failure to the next attempt. */
  firstRetry?: number
}

/** Milliseconds between removals of expired registrations. */
const SWEEP_EVERY = 60_000
const CHALLENGE_BYTES = 32

/** Returns the registration id of a challenge call. */
const challengeOf = (url: string): string => `${url} challenge`

export const openWebhooks = (options: WebhookOptions): Webhooks => {
  const { tables, log, metrics, key, shares, rules, timeoutMs, resolve = createResolve() } = options
  const makeUpFor = (topics: readonly string[]): void => {
    for (const topic of topics) void notify(topic)
  }
  const limits = options.registrations
  const registrations = openRegistrations({ tables, log, shares, limits, onConfirmed: makeUpFor })
  const { post, close } = createPost({ rules, resolve, key, timeoutMs })
  const queue = openWebhookQueue({
    store: options.callStore,
    log,
    journal: options.journal,
    outcomes: metrics.counter('webhook_calls_total', 'Calls to webhooks by outcome', 'outcome'),
    post,
    limits: options.calls,
    shares,
    onDelivered: (content, url) => {
      if ('challenge' in content) makeUpFor(registrations.confirm(url))
    },
    onUnwanted: (content, url) => {
      if ('topic' in content) registrations.remove(content.topic, url)
      if ('challenge' in content) registrations.removeAll(url)
    },
    ...(options.firstRetry !== undefined && { firstRetry: options.firstRetry }),
  })
  metrics.gauge('webhook_topics', 'Topics with webhooks', registrations.size)
  metrics.gauge('webhook_calls', 'Queued and running calls to webhooks', queue.size)

  const refuseTarget = (url: string, place: string): void => {
    try {
      checkTarget(new URL(url), rules)
    } catch (thrown) {
      throw thrown instanceof BlockedTarget ? valueError(thrown.reason, { place }) : thrown
    }
  }

  const notify = (topic: string): Promise<unknown> | undefined => {
    const webhooks = registrations.toCall(topic)
    if (!webhooks) return undefined
    const calls = webhooks.map(({ url, payers }) => {
      const registration = `${url} ${topic}`
      return queue.add({ url, registration, key: registration, content: { topic }, payers })
    })
    return Promise.all(calls)
  }

  const challenge = (url: string, { payers }: Registrant): Promise<unknown> => {
    const registration = challengeOf(url)
    const content = { challenge: randomBytes(CHALLENGE_BYTES).toString('base64url') }
    return queue.add({ url, registration, key: registration, content, payers })
  }

  const sweeping = setInterval(registrations.sweep, SWEEP_EVERY)

  return {
    register: async ({ topic, webhook }, registrant) => {
      refuseTarget(webhook, 'body.webhook')
      if (await registrations.add(topic, webhook, registrant)) void challenge(webhook, registrant)
    },
    notify,
    call: queue.add,
    cancel: queue.cancel,
    refuseTarget,
    close: () => {
      clearInterval(sweeping)
      queue.close()
      close()
    },
  }
}

export type RegistrationRules = { webhookToken: string | undefined; webhookRegistration: 'loopback' | 'open' }

/** Throws HttpError 403 unless the caller may register webhooks without a token. */
const refuseRegistrant = ({ webhookToken, webhookRegistration }: RegistrationRules, { isLocal }: Caller): void => {
  if (webhookToken !== undefined || webhookRegistration === 'open' || isLocal) return
  throw httpError(403, 'webhookRegistrationClosed', {})
}

/**
 * `POST /subscribe`: registers a webhook and replies `{"success": true}`. URLs registered with the operator's token or
 * from this machine need no challenge.
 */
export const registrationRoute =
  (webhooks: Webhooks, shares: Shares, rules: RegistrationRules): Handler =>
  async request => {
    const { webhookToken } = rules
    refuseStranger(request, webhookToken)
    refuseRegistrant(rules, request.caller)
    const registration = parseRegistration(request.body)
    const { key, isLocal } = request.caller
    const payers = key === undefined ? NOBODY : shares.accountOf('address', key).alone
    await webhooks.register(registration, { payers, isTrusted: webhookToken !== undefined || isLocal })
    return json({ success: true })
  }
