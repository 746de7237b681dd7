/** Disk use that follows what waits: what is left of nearly empty chunks moves together. */
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { type Entry, entryAt, type TopicIndex } from './topic-index.ts'

/** Messages that one round moves. */
const MOST_MOVES = 1000

/** Returns one round, to be called now and then. */
export const createTidying = (index: TopicIndex, messages: MessageLog, { waits }: Recipients) => {
  /** Moves a message to where new ones are stored, and takes it out where it was once it is safe there. */
  const move = async (entry: Entry): Promise<void> => {
    const from = entry.place
    entry.movedFrom = from
    const message = messages.read(from)
    entry.place = messages.add(message, message.message, entry.isOpen)
    void messages.change(entry.place, waits(entry))
    const here = entry.place
    const isHere = () => entryAt(entry.topic, entry.seq) === entry
    try {
      await messages.save()
      if (isHere()) void messages.remove(from)
    } catch {
      if (isHere()) {
        void messages.remove(here)
        entry.place = from
        void messages.change(from, waits(entry))
      }
    }
    entry.movedFrom = undefined
  }

  return (): void => {
    let moves = 0
    for (const { chunk, heads } of messages.takeSparse()) {
      for (const { topic: name, seq } of heads) {
        const topic = index.find(name)
        const entry = topic && entryAt(topic, seq)
        if (entry?.place.chunk === chunk && ++moves) void move(entry)
      }
      if (moves >= MOST_MOVES) return
    }
  }
}
