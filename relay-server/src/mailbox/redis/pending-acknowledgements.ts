/**
 * Acknowledgements that Redis has not stored yet. They are sent in one call per client and topic, and repeated until
 * Redis has stored them. Until then this server does not deliver the acknowledged messages again.
 */
import { RedisUnavailable } from '@heliograph/shared/server/redis/redis'
import type { Client } from '../mailbox.ts'

type Waiting = { client: Client; topic: string; seqs: Set<number>; sending: Promise<boolean> | undefined }

export const createPendingAcknowledgements = (
  send: (client: Client, topic: string, seqs: readonly number[]) => Promise<void>,
) => {
  const byClient = new Map<Client, Map<string, Waiting>>()

  const waitingOf = (client: Client, topic: string): Waiting => {
    const topics = byClient.get(client) ?? new Map<string, Waiting>()
    const one = topics.get(topic) ?? { client, topic, seqs: new Set(), sending: undefined }
    byClient.set(client, topics.set(topic, one))
    return one
  }

  const forget = ({ client, topic }: Waiting): void => {
    const topics = byClient.get(client)
    topics?.delete(topic)
    if (topics?.size === 0) byClient.delete(client)
  }

  /**
   * Sends the acknowledgements of the current task. Resolves with false if Redis refuses them; `retry` sends them
   * again.
   */
  const flush = async (one: Waiting): Promise<boolean> => {
    await Promise.resolve()
    const seqs = [...one.seqs]
    try {
      await send(one.client, one.topic, seqs)
      for (const seq of seqs) one.seqs.delete(seq)
      if (one.seqs.size === 0) forget(one)
      return true
    } catch {
      return false
    } finally {
      one.sending = undefined
    }
  }

  const start = (one: Waiting): Promise<boolean> => {
    one.sending ??= flush(one)
    return one.sending
  }

  const add = async (client: Client, topic: string, seq: number): Promise<void> => {
    const one = waitingOf(client, topic)
    one.seqs.add(seq)
    while (one.seqs.has(seq)) if (!(await start(one))) return
  }

  return {
    /** Resolves when Redis has stored the acknowledgement, or has refused it and `retry` must send it again. */
    add,
    has: (client: Client, topic: string, seq: number): boolean =>
      byClient.get(client)?.get(topic)?.seqs.has(seq) ?? false,
    /**
     * Resolves when Redis has all earlier acknowledgements of the client. Rejects with RedisUnavailable if it refuses
     * any.
     */
    stored: async (client: Client): Promise<void> => {
      const earlier = [...(byClient.get(client)?.values() ?? [])].map(one => ({ one, seqs: [...one.seqs] }))
      for (const { one, seqs } of earlier)
        while (seqs.some(seq => one.seqs.has(seq)))
          if (!(await start(one))) throw new RedisUnavailable('earlier acknowledgements cannot be stored')
    },
    /** Sends again the acknowledgements that Redis refused. */
    retry: async (): Promise<void> => {
      await Promise.all([...byClient.values()].flatMap(topics => [...topics.values()].map(start)))
    },
  }
}
