/** Counts how much of a topic each payer holds. Only topics that are full enough for a payer's part to matter have a crowd. */
import { addTo, type Payers, tallyOf } from '@heliograph/shared/server/limits/shares'
import { inboxesOf } from './inboxes.ts'
import type { Crowd, Entry, Topic } from './topic.ts'

/** The topic's crowd, which is counted at the first call and kept up to date from then on. */
export const crowdOf = (topic: Topic): Crowd => {
  topic.crowd ??= {
    messages: tallyOf(topic.entries, () => 1),
    bytes: tallyOf(topic.entries, ({ size }) => size),
    clients: tallyOf(inboxesOf(topic), () => 1),
  }
  return topic.crowd
}

/** Notes that a message entered its topic (1) or left it (-1). */
export const countEntry = ({ topic: { crowd }, payers, size }: Entry, change: 1 | -1): void => {
  if (!crowd) return
  addTo(crowd.messages, payers, change)
  addTo(crowd.bytes, payers, change * size)
}

/** Notes that a client of the topic, or who pays for one, has come (1) or gone (-1). */
export const countClient = ({ crowd }: Topic, payers: Payers, change: 1 | -1): void => {
  if (crowd) addTo(crowd.clients, payers, change)
}
