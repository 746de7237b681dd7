/**
 * Confirmed frames that Redis still has. They are removed in one call per topic, which is repeated until it succeeds.
 * Until then this server does not deliver them again.
 */

type Waiting = { topic: string; seqs: Set<number>; sending: Promise<boolean> | undefined }

export const createRemovals = (send: (topic: string, seqs: readonly number[]) => Promise<void>) => {
  const waiting = new Map<string, Waiting>()

  /**
   * Removes the frames confirmed so far, and frames confirmed during the calls. Resolves with false if Redis refuses.
   */
  const flush = async (one: Waiting): Promise<boolean> => {
    await Promise.resolve()
    try {
      while (one.seqs.size > 0) {
        const seqs = [...one.seqs]
        await send(one.topic, seqs)
        for (const seq of seqs) one.seqs.delete(seq)
      }
      waiting.delete(one.topic)
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

  return {
    add: (topic: string, seq: number): void => {
      const one = waiting.get(topic) ?? { topic, seqs: new Set(), sending: undefined }
      waiting.set(topic, one)
      one.seqs.add(seq)
      // The first sequence number starts the sending. After a refusal, only `retry` sends again.
      if (one.seqs.size === 1) void start(one)
    },
    has: (topic: string, seq: number): boolean => waiting.get(topic)?.seqs.has(seq) ?? false,
    /** Retries all removals. Resolves with false if Redis refused any. */
    retry: async (): Promise<boolean> => (await Promise.all([...waiting.values()].map(start))).every(Boolean),
  }
}
