/** The queue of one process. It is in memory; frames that are not confirmed soon are also on disk. */
import type { FrameQueue, Subscribers } from './frame-queue.ts'
import { openQueue, type QueueOptions } from './queue.ts'

/** `onExpired` is called with the number of expired frames. */
export type LocalQueueOptions = QueueOptions & { onExpired: (frames: number) => void }

/** Opens the queue and loads the stored frames. */
export const openLocalQueue = ({ onExpired, ...options }: LocalQueueOptions): FrameQueue => {
  const queue = openQueue(options)
  const { store } = options
  let deliver: Subscribers['deliver'] = () => false

  return {
    serve: subscribers => {
      deliver = subscribers.deliver
    },

    publish: ({ topic, text, publisher, payers }) => {
      const spent = queue.exhausted(payers, Buffer.byteLength(text))
      if (spent) return { spent }
      const frame = queue.add(topic, text, publisher, payers)
      if (deliver(frame, 0)) return undefined
      const limit = queue.brokenBound(topic, payers)
      if (limit) queue.remove(frame)
      else store.keep(frame)
      return limit && { limit }
    },

    read: topic => ({ frames: queue.of(topic), end: queue.lastSeq() }),
    detach: () => undefined,
    textOf: ({ seq, text }) => text ?? store.textOf(seq),
    remove: queue.remove,

    keep: ({ seq }) => {
      const frame = queue.get(seq)
      if (frame) store.keep(frame)
      return frame !== undefined
    },

    tick: () => {
      onExpired(queue.sweep())
      return store.save()
    },
    size: queue.size,
    stored: store.count,
    settled: () => Promise.resolve(),
    close: store.save,
  }
}
