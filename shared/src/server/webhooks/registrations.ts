/**
 * Webhooks by topic, in memory and in the store. A webhook is called only after its address has echoed a challenge, and
 * expires after some days unless it is renewed. Registrations count towards the share of the registering address.
 */

import { NOBODY, type Payers, type Shares, usedUpShare } from '../limits/shares.ts'
import type { Logger } from '../process/log.ts'
import type { Store } from '../storage/store.ts'
import { httpError } from '../transport/http.ts'

/** Limits, each a configuration row: webhooks per topic, topics with webhooks, bytes of both, and days until expiry. */
export type RegistrationLimits = { perTopic: number; topics: number; bytes: number; days: number }

/** `owner` is the random mark of the charged account, or 0. `expiresAt` is Unix time in milliseconds. */
type Registered = { url: string; expiresAt: number; owner: number; isConfirmed: boolean; payers: Payers }
/** Stored form. A plain string dates from before webhooks expired. */
type Stored = string | [url: string, expiresAt: number, owner: number, isConfirmed: boolean]

/** An address and its topics. `missed` lists the topics of calls that arrived before it was confirmed. */
type Target = { topics: Set<string>; isConfirmed: boolean; missed: string[] }

/** The accounts charged, and whether the operator vouches for the address. */
export type Registrant = { payers: Payers; isTrusted: boolean }

export type Registrations = {
  /**
   * Adds or renews a webhook. Resolves when it is durable, with whether its address must echo a
   * challenge first. Throws HttpError 409 that names the exceeded limit, 429 that names the share, or the store's
   * error.
   */
  add: (topic: string, webhook: string, registrant: Registrant) => Promise<boolean>
  remove: (topic: string, webhook: string) => void
  /** Removes an address from all topics. */
  removeAll: (webhook: string) => void
  /** Marks an address as confirmed. Returns the topics of the first few calls that arrived before. */
  confirm: (webhook: string) => readonly string[]
  /**
   * The webhooks of a topic to call for a message, if there are any: confirmed ones. Remembers the call of the others for
   * `confirm`.
   */
  toCall: (topic: string) => readonly { url: string; payers: Payers }[] | undefined
  /** Removes expired webhooks. */
  sweep: () => void
  /** Number of topics with webhooks. */
  size: () => number
}

export type RegistrationsOptions = {
  store: Store
  log: Logger
  shares: Shares
  limits: RegistrationLimits
  /** Clock: Unix time in milliseconds. */
  now?: () => number
}

const DAY = 24 * 60 * 60 * 1000
/** Milliseconds for an address to echo its challenge. */
const UNCONFIRMED_LIFE = DAY

/** Maximum calls made up for after an address is confirmed. */
const MAX_MISSED = 16

const sizeOf = (topic: string, webhook: string): number => Buffer.byteLength(topic) + webhook.length

export const openRegistrations = (options: RegistrationsOptions): Registrations => {
  const { store, log, shares, limits, now = Date.now } = options
  const table = store.table<readonly Stored[], string>('webhooks')
  const registered = new Map<string, readonly Registered[]>()
  const targets = new Map<string, Target>()
  let bytes = 0

  const lifeOf = (isConfirmed: boolean): number => now() + (isConfirmed ? limits.days * DAY : UNCONFIRMED_LIFE)

  const enter = (topic: string, one: Registered): void => {
    const target = targets.get(one.url) ?? { topics: new Set(), isConfirmed: false, missed: [] }
    target.topics.add(topic)
    target.isConfirmed ||= one.isConfirmed
    targets.set(one.url, target)
    registered.set(topic, [...(registered.get(topic) ?? []), one])
    bytes += sizeOf(topic, one.url)
    shares.take(one.payers, 'webhooks', 1)
  }

  const leave = (topic: string, one: Registered): void => {
    const target = targets.get(one.url)
    target?.topics.delete(topic)
    if (target?.topics.size === 0) targets.delete(one.url)
    const after = (registered.get(topic) ?? []).filter(other => other !== one)
    if (after.length > 0) registered.set(topic, after)
    else registered.delete(topic)
    bytes -= sizeOf(topic, one.url)
    shares.give(one.payers, 'webhooks', 1)
  }

  /** After a restart, registrations with the same mark still share one account. */
  const ownerOf = (mark: number): Payers => (mark === 0 ? NOBODY : shares.accountOf('address', `#${mark}`).alone)

  for (const [topic, value] of table.entries())
    for (const stored of value) {
      const [url, expiresAt, owner, isConfirmed] =
        typeof stored === 'string' ? ([stored, lifeOf(true), 0, true] as const) : stored
      enter(topic, { url, expiresAt, owner, isConfirmed, payers: ownerOf(owner) })
    }

  const toStored = ({ url, expiresAt, owner, isConfirmed }: Registered): Stored => [url, expiresAt, owner, isConfirmed]

  const save = (topic: string): Promise<void> => {
    const webhooks = registered.get(topic)
    return webhooks ? table.put(topic, webhooks.map(toStored)) : table.remove(topic)
  }

  const saveLater = (topic: string): void => {
    save(topic).catch(err => log.error({ err }, 'storing a webhook change failed'))
  }

  const refuseMore = (before: number, size: number, payers: Payers): void => {
    if (before >= limits.perTopic) throw httpError(409, 'topicWebhooks', { limit: limits.perTopic })
    const spent = shares.exhausted(payers, 'webhooks', 1)
    if (spent) throw httpError(429, 'webhookShareUsedUp', usedUpShare(spent, 'webhooks', shares.limits))
    if (before === 0 && registered.size >= limits.topics)
      throw httpError(409, 'webhookTopics', { limit: limits.topics })
    if (bytes + size > limits.bytes) throw httpError(409, 'webhookBytes', { limit: limits.bytes })
  }

  const remove = (topic: string, webhook: string): void => {
    const one = registered.get(topic)?.find(({ url }) => url === webhook)
    if (!one) return
    leave(topic, one)
    saveLater(topic)
  }

  const confirm = (webhook: string): readonly string[] => {
    const target = targets.get(webhook)
    if (!target || target.isConfirmed) return []
    target.isConfirmed = true
    for (const topic of target.topics) {
      for (const one of registered.get(topic) ?? [])
        if (one.url === webhook) {
          one.isConfirmed = true
          one.expiresAt = lifeOf(true)
        }
      saveLater(topic)
    }
    return target.missed.splice(0)
  }

  const miss = (url: string, topic: string): void => {
    const missed = targets.get(url)?.missed
    if (missed && missed.length < MAX_MISSED) missed.push(topic)
  }

  return {
    add: async (topic, webhook, { payers, isTrusted }) => {
      const before = registered.get(topic) ?? []
      const known = before.find(({ url }) => url === webhook)
      const isConfirmed = isTrusted || targets.get(webhook)?.isConfirmed === true
      if (isTrusted) confirm(webhook)
      if (known) {
        known.isConfirmed = isConfirmed
        if (isConfirmed) known.expiresAt = lifeOf(true)
      } else {
        refuseMore(before.length, sizeOf(topic, webhook), payers)
        const owner = payers[0]?.mark ?? 0
        enter(topic, { url: webhook, expiresAt: lifeOf(isConfirmed), owner, isConfirmed, payers })
      }
      await save(topic)
      return !isConfirmed
    },
    remove,
    removeAll: webhook => {
      for (const topic of [...(targets.get(webhook)?.topics ?? [])]) remove(topic, webhook)
    },
    confirm,
    toCall: topic => {
      const webhooks = registered.get(topic)
      if (!webhooks) return undefined
      for (const { url, isConfirmed } of webhooks) if (!isConfirmed) miss(url, topic)
      const callable = webhooks.filter(({ isConfirmed, expiresAt }) => isConfirmed && expiresAt > now())
      return callable.length > 0 ? callable : undefined
    },
    sweep: () => {
      for (const [topic, webhooks] of registered)
        for (const { url, expiresAt } of webhooks) if (expiresAt <= now()) remove(topic, url)
    },
    size: () => registered.size,
  }
}
