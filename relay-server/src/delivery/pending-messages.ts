/** Iterates over the messages that wait for a client on a topic. */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Client, Mailbox, Message } from '../mailbox/mailbox.ts'

/** Messages read from the mailbox at a time. */
const PAGE = 64

/** Reads page by page and yields to the event loop in between. */
export const pendingMessages = async function* (
  mailbox: Mailbox,
  client: Client,
  topic: string,
): AsyncGenerator<Message> {
  let page = await mailbox.read(client, topic, 0, PAGE)
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield* page
    await otherWork()
    page = await mailbox.read(client, topic, last.seq, PAGE)
  }
}
