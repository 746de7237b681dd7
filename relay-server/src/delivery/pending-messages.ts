/** Iterates over the messages of a topic that a client has not acknowledged. */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Client, Mailbox, Message } from '../mailbox/mailbox.ts'

/** Maximum number of messages per read of the mailbox. */
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
