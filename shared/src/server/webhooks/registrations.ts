/**
 * Webhooks by topic, in memory and in the store. A webhook is called only after its URL has echoed a challenge, and
 * expires after some days unless it is renewed. Registrations count towards the share of the registering IP address.
 */

import { NOBODY, type Payers, type Shares, usedUpShare } from '../limits/shares.ts'
import type { Logger } from '../process/log.ts'
import type { Tables } from '../storage/store.ts'
import { httpError } from '../transport/http.ts'
import { createRegistered, sizeOf } from './registered.ts'

/** Limits, each a configuration row: webhooks per topic, topics with webhooks, bytes of both, and days until expiry. */
export type RegistrationLimits = { perTopic: number; topics: number; bytes: number; days: number }

/**
 * Stored form of a registration. Each has its own row, so that servers can register webhooks of one topic concurrently.
 */
export type Stored = [expiresAt: number, owner: number, isConfirmed: boolean]
/** A topic's webhooks as earlier versions stored them. A plain string dates from before webhooks expired. */
export type Earlier = readonly (string | [url: string, ...Stored])[]

/** Names of the tables of both forms. */
export const REGISTRATIONS = 'webhook-registrations'
export const EARLIER = 'webhooks'

/** The accounts charged, and whether the operator vouches for the URL. */
export type Registrant = { payers: Payers; isTrusted: boolean }

export type Registrations = {
  /**
   * Adds or renews a webhook. Resolves when it is durable, with true if its URL must echo a challenge first. Throws
   * HttpError 409 for an exceeded limit, HttpError 429 for a share that is used up, or the store's error.
   */
  add: (topic: string, webhook: string, registrant: Registrant) => Promise<boolean>
  remove: (topic: string, webhook: string) => void
  /** Removes a URL from all topics. */
  removeAll: (webhook: string) => void
  /** Marks a URL as confirmed. Returns the topics of the first few calls that were missed before. */
  confirm: (webhook: string) => readonly string[]
  /**
   * Returns the confirmed webhooks of a topic, to be called for a message, or undefined if there are none. Remembers
   * missed calls of other webhooks for `confirm`.
   */
  toCall: (topic: string) => readonly { url: string; payers: Payers }[] | undefined
  /** Removes expired webhooks. */
  sweep: () => void
  /** Number of topics with webhooks. */
  size: () => number
}

export type RegistrationsOptions = {
  tables: Tables
  log: Logger
  shares: Shares
  limits: RegistrationLimits
  /** Called with missed topics, like the result of `confirm`, after another server has confirmed a URL. */
  onConfirmed?: (missed: readonly string[]) => void
  /** Clock: Unix time in milliseconds. */
  now?: () => number
}

const DAY = 24 * 60 * 60 * 1000
/** Milliseconds within which a URL must echo its challenge. */
const UNCONFIRMED_LIFE = DAY

/** A topic can have spaces. A normalized URL has none. */
const keyOf = (topic: string, webhook: string): string => `${topic} ${webhook}`
const partsOf = (key: string): [topic: string, webhook: string] => {
  const at = key.lastIndexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}

export const openRegistrations = (options: RegistrationsOptions): Registrations => {
  const { tables, log, shares, limits, onConfirmed = () => undefined, now = Date.now } = options
  const table = tables.table<Stored, string>(REGISTRATIONS)
  const earlier = tables.table<Earlier, string>(EARLIER)
  const registered = createRegistered(shares)
  /** Confirmed URLs whose change could not be stored. */
  const unsaved = new Set<string>()
  const lifeOf = (isConfirmed: boolean): number => now() + (isConfirmed ? limits.days * DAY : UNCONFIRMED_LIFE)

  /**
   * Returns the account of a stored mark. After a restart, registrations with the same mark share one account again.
   */
  const ownerOf = (mark: number): Payers => (mark === 0 ? NOBODY : shares.accountOf('address', `#${mark}`).alone)

  const enterStored = (topic: string, url: string, [expiresAt, owner, isConfirmed]: Stored): void =>
    registered.enter(topic, { url, expiresAt, owner, isConfirmed, payers: ownerOf(owner) })

  const save = (topic: string, webhook: string): Promise<void> => {
    const one = registered.find(topic, webhook)
    const key = keyOf(topic, webhook)
    return one ? table.put(key, [one.expiresAt, one.owner, one.isConfirmed]) : table.remove(key)
  }

  const saveLater = async (topic: string, webhook: string): Promise<void> => {
    const isConfirmed = registered.find(topic, webhook)?.isConfirmed
    try {
      await save(topic, webhook)
    } catch (err) {
      log.error({ err }, 'storing a webhook change failed')
      if (isConfirmed) unsaved.add(webhook)
    }
  }

  const convert = async (topic: string, webhooks: Earlier): Promise<void> => {
    const added = webhooks.map(one => {
      const [url, ...stored] = typeof one === 'string' ? ([one, lifeOf(true), 0, true] as const) : one
      if (!registered.find(topic, url)) enterStored(topic, url, stored)
      return save(topic, url)
    })
    await Promise.all(added)
    await earlier.remove(topic)
  }

  for (const [key, stored] of table.entries()) enterStored(...partsOf(key), stored)
  for (const [topic, webhooks] of [...earlier.entries()])
    convert(topic, webhooks).catch(err => log.error({ err }, 'storing a webhook change failed'))

  table.onChange((key, stored) => {
    const [topic, webhook] = partsOf(key)
    const known = registered.find(topic, webhook)
    if (!stored) {
      if (known) registered.leave(topic, known)
      return
    }
    const [expiresAt, , isConfirmed] = stored
    if (known) registered.mark(topic, known, expiresAt, isConfirmed)
    else enterStored(topic, webhook, stored)
    if (isConfirmed) onConfirmed(registered.takeMissed(topic, webhook))
  })

  const refuseMore = (before: number, size: number, payers: Payers): void => {
    if (before >= limits.perTopic) throw httpError(409, 'topicWebhooks', { limit: limits.perTopic })
    const spent = shares.exhausted(payers, 'webhooks', 1)
    if (spent) throw httpError(429, 'webhookShareUsedUp', usedUpShare(spent, 'webhooks', shares.limits))
    if (before === 0 && registered.topics() >= limits.topics)
      throw httpError(409, 'webhookTopics', { limit: limits.topics })
    if (registered.bytes() + size > limits.bytes) throw httpError(409, 'webhookBytes', { limit: limits.bytes })
  }

  const remove = (topic: string, webhook: string): void => {
    const one = registered.find(topic, webhook)
    if (!one) return
    registered.leave(topic, one)
    void saveLater(topic, webhook)
  }

  const confirm = (webhook: string): readonly string[] =>
    registered.unconfirmedOf(webhook).flatMap(topic => {
      const one = registered.find(topic, webhook)
      if (!one) return []
      registered.mark(topic, one, lifeOf(true), true)
      void saveLater(topic, webhook)
      return registered.takeMissed(topic, webhook)
    })

  return {
    add: async (topic, webhook, { payers, isTrusted }) => {
      const before = registered.of(topic)
      const known = registered.find(topic, webhook)
      const isConfirmed = isTrusted || registered.isConfirmed(webhook)
      if (isTrusted) confirm(webhook)
      if (known) registered.mark(topic, known, isConfirmed ? lifeOf(true) : known.expiresAt, isConfirmed)
      else {
        refuseMore(before.length, sizeOf(topic, webhook), payers)
        const owner = payers[0]?.mark ?? 0
        registered.enter(topic, { url: webhook, expiresAt: lifeOf(isConfirmed), owner, isConfirmed, payers })
      }
      await save(topic, webhook)
      return !isConfirmed
    },
    remove,
    removeAll: webhook => {
      for (const topic of registered.topicsOf(webhook)) remove(topic, webhook)
    },
    confirm,
    toCall: topic => {
      const webhooks = registered.of(topic)
      for (const { url, isConfirmed } of webhooks) if (!isConfirmed) registered.miss(topic, url)
      const callable = webhooks.filter(({ isConfirmed, expiresAt }) => isConfirmed && expiresAt > now())
      return callable.length > 0 ? callable : undefined
    },
    sweep: () => {
      for (const webhook of unsaved) {
        unsaved.delete(webhook)
        onConfirmed(confirm(webhook))
      }
      for (const [topic, webhooks] of registered.all())
        for (const { url, expiresAt } of webhooks) if (expiresAt <= now()) remove(topic, url)
    },
    size: registered.topics,
  }
}
