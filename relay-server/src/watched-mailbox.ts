/**
 * A mailbox that tells who watches its clients. Where nobody is watched a call goes straight through; what concerns one
 * that is watched is done when what there is to tell is stored, too.
 */
import type { Logger } from '@heliograph/shared/server/log'
import type { WatchStatus, WatchType } from '@heliograph/shared/wire/watch'
import type { Client, Mailbox, Publication } from './mailbox/mailbox.ts'
import { waitingFor } from './waiting.ts'
import type { Watches } from './watches.ts'

export type WatchedMailboxOptions = {
  mailbox: Mailbox
  watches: Watches
  /** True if a socket of the client listens to the topic. */
  isLive: (client: Client, topic: string) => boolean
  log: Logger
}

type Occasion = readonly [client: Client, typ: WatchType, status: WatchStatus]

export const watchedMailbox = ({ mailbox, watches, isLive, log }: WatchedMailboxOptions): Mailbox => {
  /** Who is to hear of a message that is taken in. */
  const occasionsOf = function* (publisher: Client, topic: string): Generator<Occasion> {
    if (watches.has(publisher)) yield [publisher, 'publisher', 'accepted']
    for (const client of mailbox.clients(topic)) {
      if (client === publisher || !watches.has(client)) continue
      yield [client, 'subscriber', 'accepted']
      if (!isLive(client, topic)) yield [client, 'subscriber', 'queued']
    }
  }

  /** Tells of messages in the turn in which they are taken in, so that both go into one commit. */
  const tellOf = (publisher: Client, publications: readonly Publication[]): Promise<void>[] => {
    const publishedAt = Date.now()
    return publications.flatMap(publication =>
      [...occasionsOf(publisher, publication.topic)].map(([client, typ, status]) =>
        watches.tell(client, typ, status, { ...publication, publishedAt }),
      ),
    )
  }

  /** What the mailbox has done stands, whether it can be told or not. */
  const told = (work: Promise<unknown>): Promise<unknown> =>
    work.catch(err => log.error({ err }, 'a watch was not told'))

  const append: Mailbox['append'] = (publisher, publications, payers) => {
    const { taken, safe } = mailbox.append(publisher, publications, payers)
    const telling = tellOf(publisher, publications)
    if (telling.length === 0) return { taken, safe }
    const both = Promise.all([safe, told(Promise.all(telling))])
    return { taken, safe: both.then(() => undefined) }
  }

  /** What waited for the first to come is accepted for the client now. */
  const tellClaimed = async (client: Client, topic: string): Promise<void> => {
    const telling: Promise<void>[] = []
    for await (const message of waitingFor(mailbox, client, topic))
      telling.push(watches.tell(client, 'subscriber', 'accepted', message))
    await Promise.all(telling)
  }

  const subscribe: Mailbox['subscribe'] = async (client, topic, payers) => {
    const [known] = await mailbox.read(client, topic, 0, 1)
    const since = await mailbox.subscribe(client, topic, payers)
    if (!known) await told(tellClaimed(client, topic))
    return since
  }

  /** The message is asked for before it may be gone. */
  const acknowledge: Mailbox['acknowledge'] = async (client, topic, seq) => {
    const reading = mailbox.read(client, topic, seq - 1, 1)
    const telling = reading.then(async ([message]) => {
      if (message?.seq === seq) await watches.tell(client, 'subscriber', 'delivered', message)
    })
    await Promise.all([mailbox.acknowledge(client, topic, seq), told(telling)])
  }

  const acknowledger: Mailbox['acknowledger'] = (client, topic) => {
    const direct = mailbox.acknowledger(client, topic)
    return seq => (watches.has(client) ? acknowledge(client, topic, seq) : direct(seq))
  }

  return {
    ...mailbox,
    append: (publisher, publications, payers) =>
      (watches.has() ? append : mailbox.append)(publisher, publications, payers),
    subscribe: (client, topic, payers) => (watches.has(client) ? subscribe : mailbox.subscribe)(client, topic, payers),
    acknowledge: (client, topic, seq) => acknowledger(client, topic)(seq),
    acknowledger,
  }
}
