/**
 * Webhooks, as the relay and the bridge register and call them. What a call says is `{"topic": …}`, that the topic is in
 * use, and nothing else. An address that was registered neither with the operator's token nor from this machine gets
 * calls once it has echoed a challenge: `{"challenge": …}`, whose text its answer must contain.
 */
import { randomBytes } from 'node:crypto'
import { ValueError } from '../evm/hex.ts'
import { parseRegistration, type Registration } from '../wire/webhook.ts'
import type { Caller } from './addresses.ts'
import { refuseStranger } from './bearer.ts'
import { type Handler, HttpError, json } from './http.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import { BlockedTarget, checkTarget, type TargetRules } from './public-fetch.ts'
import { createResolve, type Resolve } from './resolve.ts'
import { NOBODY, type Shares } from './shares.ts'
import type { SigningKey } from './signing-key.ts'
import type { Store } from './storage/store.ts'
import type { QueueLimits } from './webhook-account.ts'
import type { WebhookJournal } from './webhook-journal.ts'
import { createPost } from './webhook-post.ts'
import { type CallRequest, openWebhookQueue } from './webhook-queue.ts'
import { openRegistrations, type Registrant, type RegistrationLimits } from './webhook-registrations.ts'

export type Webhooks = {
  /**
   * Adds a webhook to a topic, or renews it, and has its address confirm it if need be. Resolves when it survives a
   * crash. Throws ValueError for an address that must not be called, HttpError 409 when a bound is reached, 429 when a
   * share is.
   */
  register: (registration: Registration, registrant: Registrant) => Promise<void>
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
  shares: Shares
  registrations: RegistrationLimits
  calls: QueueLimits
  resolve?: Resolve
  /** Milliseconds from a first failure to the next attempt. */
  firstRetry?: number
}

/** Milliseconds between two looks for registrations that have ended. */
const SWEEP_EVERY = 60_000
const CHALLENGE_BYTES = 32

/** On whose behalf a challenge is sent. */
const challengeOf = (url: string): string => `${url} challenge`

export const openWebhooks = (options: WebhookOptions): Webhooks => {
  const { store, log, metrics, key, shares, rules, timeoutMs, resolve = createResolve() } = options
  const registrations = openRegistrations({ store, log, shares, limits: options.registrations })
  const { post, close } = createPost({ rules, resolve, key, timeoutMs })
  const queue = openWebhookQueue({
    store,
    log,
    journal: options.journal,
    outcomes: metrics.counter('webhook_calls_total', 'Calls to webhooks by outcome', 'outcome'),
    post,
    limits: options.calls,
    shares,
    onDelivered: (content, url) => {
      if ('challenge' in content) for (const topic of registrations.confirm(url)) void notify(topic)
    },
    onUnwanted: (content, url) => {
      if ('topic' in content) registrations.remove(content.topic, url)
      if ('challenge' in content) registrations.removeAll(url)
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

  const notify = (topic: string): Promise<unknown> | undefined => {
    const webhooks = registrations.of(topic)
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

/** Throws HttpError 401 or 403 unless whoever asks may register webhooks. */
const refuseRegistrant = ({ webhookToken, webhookRegistration }: RegistrationRules, { isLocal }: Caller): void => {
  if (webhookToken !== undefined || webhookRegistration === 'open' || isLocal) return
  throw new HttpError(
    403,
    'webhooks are registered from this machine only; the operator can set webhook-token and give it to those who may, or webhook-registration to open',
  )
}

/**
 * `POST /subscribe`: registers and answers `{"success": true}`. Clients that have the operator's token, and those on this
 * machine, vouch for the address that they register.
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
