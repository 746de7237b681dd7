/** Messages kept in memory for the deliveries that mostly follow at once; the oldest make room. */
import type { Message } from './mailbox.ts'

export type Recent = {
  add: (message: Message) => void
  get: (seq: number) => Message | undefined
  remove: (seq: number) => void
}

/** Keeps about `capacity` characters. What `mayGo` does not let go stays beyond that. */
export const createRecent = (capacity: number, mayGo: (seq: number) => boolean): Recent => {
  const messages = new Map<number, Message>()
  let held = 0
  const remove = (seq: number): void => {
    held -= messages.get(seq)?.message.length ?? 0
    messages.delete(seq)
  }
  return {
    add: message => {
      messages.set(message.seq, message)
      held += message.message.length
      for (const seq of messages.keys()) {
        if (held <= capacity || !mayGo(seq)) return
        remove(seq)
      }
    },
    get: seq => messages.get(seq),
    remove,
  }
}
