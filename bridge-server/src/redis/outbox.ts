/**
 * Queues frames for Redis. Each topic has one batch in flight at a time, so that its frames stay in order. After a
 * frame is refused, its publisher's later frames in the queue are refused too. If Redis is unavailable, all queued
 * frames of the topic are refused.
 */
import type { Publication, Refusal } from '../frame-queue.ts'

/**
 * Maximum number of frames, and of their characters, in a batch. The frames of a batch have the same payers. A longer
 * text is a batch of its own.
 */
const BATCH_FRAMES = 256
const BATCH_LENGTH = 1024 * 1024

type Waiting = Publication & { settle: (refusal: Refusal | undefined) => void }

/** Number of frames that Redis accepted, and the reason why it refused the next frame, if it did. */
export type Sent = { accepted: number; refusal: Refusal | undefined }

const batchOf = (waiting: readonly Waiting[]): readonly Waiting[] => {
  let length = 0
  const end = waiting.findIndex(({ text, payers }, index) => {
    length += text.length
    return index > 0 && (index >= BATCH_FRAMES || length > BATCH_LENGTH || payers !== waiting[0]?.payers)
  })
  return waiting.slice(0, end === -1 ? waiting.length : end)
}

/** `send` sends frames of one topic and never rejects. */
export const createOutbox = (send: (topic: string, frames: readonly Publication[]) => Promise<Sent>) => {
  const topics = new Map<string, Waiting[]>()
  const sending = new Set<Promise<void>>()

  const sendTopic = async (topic: string, waiting: Waiting[]): Promise<void> => {
    while (waiting.length > 0) {
      const batch = batchOf(waiting)
      const { accepted, refusal } = await send(topic, batch)
      for (const { settle } of waiting.splice(0, accepted)) settle(undefined)
      if (!refusal) continue
      const { publisher } = waiting[0] ?? {}
      const isRefused = (frame: Waiting) => refusal === 'storageUnavailable' || frame.publisher === publisher
      const refused = waiting.filter(isRefused)
      waiting.splice(0, waiting.length, ...waiting.filter(frame => !isRefused(frame)))
      for (const { settle } of refused) settle(refusal)
    }
    topics.delete(topic)
  }

  return {
    /** Resolves with undefined once Redis has stored the frame, or with the reason why it was refused. */
    add: (publication: Publication): Promise<Refusal | undefined> =>
      new Promise(settle => {
        const { topic } = publication
        const known = topics.get(topic)
        if (known) {
          known.push({ ...publication, settle })
          return
        }
        const waiting = [{ ...publication, settle }]
        topics.set(topic, waiting)
        const work = sendTopic(topic, waiting).finally(() => sending.delete(work))
        sending.add(work)
      }),
    /** Resolves when no frame is queued or in flight. */
    settled: async (): Promise<void> => {
      while (sending.size > 0) await Promise.all(sending)
    },
  }
}
