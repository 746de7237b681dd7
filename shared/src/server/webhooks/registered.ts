/** Webhooks in memory, by topic and by URL. */
import type { Payers, Shares } from '../limits/shares.ts'

/** `owner` is the random mark of the charged account, or 0. `expiresAt` is Unix time in milliseconds. */
export type Registered = { url: string; expiresAt: number; owner: number; isConfirmed: boolean; payers: Payers }

/**
 * A webhook URL and its topics. `missed` lists the topics of calls that were due before the URL was confirmed.
 */
type Target = { topics: Set<string>; unconfirmed: Set<string>; missed: string[] }

/** Maximum number of missed calls that are made after a URL is confirmed. */
const MAX_MISSED = 16

const NONE: readonly Registered[] = []

export const sizeOf = (topic: string, webhook: string): number => Buffer.byteLength(topic) + webhook.length

export const createRegistered = (shares: Shares) => {
  const byTopic = new Map<string, readonly Registered[]>()
  const targets = new Map<string, Target>()
  let bytes = 0

  /** Changes a registration and the lists of its URL. */
  const mark = (topic: string, one: Registered, expiresAt: number, isConfirmed: boolean): void => {
    one.expiresAt = expiresAt
    one.isConfirmed = isConfirmed
    const unconfirmed = targets.get(one.url)?.unconfirmed
    if (isConfirmed) unconfirmed?.delete(topic)
    else unconfirmed?.add(topic)
  }

  return {
    enter: (topic: string, one: Registered): void => {
      const target = targets.get(one.url) ?? { topics: new Set(), unconfirmed: new Set(), missed: [] }
      targets.set(one.url, target)
      target.topics.add(topic)
      mark(topic, one, one.expiresAt, one.isConfirmed)
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), one])
      bytes += sizeOf(topic, one.url)
      shares.take(one.payers, 'webhooks', 1)
    },
    mark,
    leave: (topic: string, one: Registered): void => {
      const target = targets.get(one.url)
      target?.topics.delete(topic)
      target?.unconfirmed.delete(topic)
      if (target?.topics.size === 0) targets.delete(one.url)
      const after = (byTopic.get(topic) ?? NONE).filter(other => other !== one)
      if (after.length > 0) byTopic.set(topic, after)
      else byTopic.delete(topic)
      bytes -= sizeOf(topic, one.url)
      shares.give(one.payers, 'webhooks', 1)
    },
    all: (): Iterable<[topic: string, webhooks: readonly Registered[]]> => byTopic,
    of: (topic: string): readonly Registered[] => byTopic.get(topic) ?? NONE,
    find: (topic: string, webhook: string): Registered | undefined =>
      byTopic.get(topic)?.find(({ url }) => url === webhook),
    topicsOf: (webhook: string): string[] => [...(targets.get(webhook)?.topics ?? [])],
    unconfirmedOf: (webhook: string): string[] => [...(targets.get(webhook)?.unconfirmed ?? [])],
    /** True if the URL is confirmed for any topic. */
    isConfirmed: (webhook: string): boolean => {
      const target = targets.get(webhook)
      return target !== undefined && target.unconfirmed.size < target.topics.size
    },
    /** Remembers a call to a URL that is not confirmed. */
    miss: (topic: string, webhook: string): void => {
      const missed = targets.get(webhook)?.missed
      if (missed && missed.length < MAX_MISSED) missed.push(topic)
    },
    /** Returns the topic once for each call that was missed, and forgets these calls. */
    takeMissed: (topic: string, webhook: string): string[] => {
      const target = targets.get(webhook)
      if (!target) return []
      const missed = target.missed.filter(other => other === topic)
      target.missed = target.missed.filter(other => other !== topic)
      return missed
    },
    topics: () => byTopic.size,
    bytes: () => bytes,
  }
}
