/** Which webhooks topics have, in memory and in the store. */
import { HttpError } from './http.ts'
import type { Logger } from './log.ts'
import type { Store } from './storage/store.ts'

/** Bounds, each a configuration row: webhooks of a topic, topics with webhooks, and bytes of both together. */
export type RegistrationLimits = { perTopic: number; topics: number; bytes: number }

export type Registrations = {
  /**
   * Adds a webhook to a topic; the same twice is one. Resolves when it survives a crash. Throws HttpError 409 that names
   * the bound it would break, or what the store throws.
   */
  add: (topic: string, webhook: string) => Promise<void>
  /** Takes a webhook off a topic. */
  remove: (topic: string, webhook: string) => void
  /** The webhooks of a topic, if it has any. */
  of: (topic: string) => readonly string[] | undefined
  /** Topics with webhooks. */
  size: () => number
}

const sizeOf = (topic: string, webhook: string): number => Buffer.byteLength(topic) + webhook.length

export const openRegistrations = (store: Store, log: Logger, limits: RegistrationLimits): Registrations => {
  const table = store.table<readonly string[], string>('webhooks')
  const registered = new Map<string, readonly string[]>()
  let bytes = 0

  for (const [topic, webhooks] of table.entries()) {
    registered.set(topic, webhooks)
    for (const webhook of webhooks) bytes += sizeOf(topic, webhook)
  }

  const save = (topic: string): Promise<void> => {
    const webhooks = registered.get(topic)
    return webhooks ? table.put(topic, webhooks) : table.remove(topic)
  }

  const refuseMore = (before: readonly string[], size: number): void => {
    if (before.length >= limits.perTopic)
      throw new HttpError(409, `body.webhook: a topic has at most ${limits.perTopic} webhooks`)
    if (before.length === 0 && registered.size >= limits.topics)
      throw new HttpError(409, `body.topic: at most ${limits.topics} topics have webhooks`)
    if (bytes + size > limits.bytes)
      throw new HttpError(409, `body.webhook: webhooks and topics have at most ${limits.bytes} bytes together`)
  }

  return {
    add: (topic, webhook) => {
      const before = registered.get(topic) ?? []
      if (!before.includes(webhook)) {
        const size = sizeOf(topic, webhook)
        refuseMore(before, size)
        registered.set(topic, [...before, webhook])
        bytes += size
      }
      return save(topic)
    },
    remove: (topic, webhook) => {
      const before = registered.get(topic) ?? []
      if (!before.includes(webhook)) return
      const after = before.filter(other => other !== webhook)
      if (after.length > 0) registered.set(topic, after)
      else registered.delete(topic)
      bytes -= sizeOf(topic, webhook)
      save(topic).catch(err => log.error({ err }, 'a webhook was not taken off its topic'))
    },
    of: topic => registered.get(topic),
    size: () => registered.size,
  }
}
