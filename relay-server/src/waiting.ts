/** All that waits for a client on a topic. */
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Client, Mailbox, Message } from './mailbox/mailbox.ts'

/** Messages asked of the mailbox at once. */
const PAGE = 64

/** Page by page with other work between. */
export const waitingFor = async function* (mailbox: Mailbox, client: Client, topic: string): AsyncGenerator<Message> {
  let page = await mailbox.read(client, topic, 0, PAGE)
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield* page
    await otherWork()
    page = await mailbox.read(client, topic, last.seq, PAGE)
  }
}
