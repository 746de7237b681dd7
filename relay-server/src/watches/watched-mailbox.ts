/**
 * Wraps a mailbox to report events to watches. While no client is watched, calls are passed through; others
 * complete when their events are stored as well.
 */
import type { Logger } from '@heliograph/shared/server/process/log'
import type { WatchStatus, WatchType } from '@heliograph/shared/wire/watch'
import { pendingMessages } from '../delivery/pending-messages.ts'
import { type Client, type Commit, joined, type Mailbox, type Publication } from '../mailbox/mailbox.ts'
import type { Watches } from './watches.ts'

export type WatchedMailboxOptions = {
  mailbox: Mailbox
  watches: Watches
  /** True if a socket of the client is subscribed to the topic. */
  isLive: (client: Client, topic: string) => boolean
  log: Logger
}

type Occasion = readonly [client: Client, typ: WatchType, status: WatchStatus]

export const watchedMailbox = ({ mailbox, watches, isLive, log }: WatchedMailboxOptions): Mailbox => {
  /** The events caused by a publish. */
  const occasionsOf = function* (publisher: Client, topic: string, clients: readonly Client[]): Generator<Occasion> {
    if (watches.has(publisher)) yield [publisher, 'publisher', 'accepted']
    for (const client of clients) {
      if (client === publisher || !watches.has(client)) continue
      yield [client, 'subscriber', 'accepted']
      if (!isLive(client, topic)) yield [client, 'subscriber', 'queued']
    }
  }

  /** Reports a message once it is accepted. Messages and events are stored apart; `joined` waits for both. */
  const tellOf = async (publisher: Client, publication: Publication, { durable }: Commit): Promise<void> => {
    const publishedAt = Date.now()
    const { topic } = publication
    const occasions = [...occasionsOf(publisher, topic, await mailbox.clients(topic))]
    const isAccepted = await durable.then(
      () => true,
      () => false,
    )
    if (!isAccepted) return
    await Promise.all(
      occasions.map(([client, typ, status]) => watches.tell(client, typ, status, { ...publication, publishedAt })),
    )
  }

  /** Logs a failure. The mailbox's result does not depend on the report. */
  const told = (work: Promise<unknown>): Promise<unknown> =>
    work.catch(err => log.error({ err }, 'a watch was not told'))

  const append: Mailbox['append'] = (publisher, publications, payers) => {
    const { accepted, commit } = mailbox.append(publisher, publications, payers)
    const telling = publications.map(publication => tellOf(publisher, publication, commit))
    return { accepted, commit: joined(commit, told(Promise.all(telling))) }
  }

  /** Reports messages that waited for the first client as accepted for this one. */
  const tellClaimed = async (client: Client, topic: string): Promise<void> => {
    const telling: Promise<void>[] = []
    for await (const message of pendingMessages(mailbox, client, topic))
      telling.push(watches.tell(client, 'subscriber', 'accepted', message))
    await Promise.all(telling)
  }

  const subscribe: Mailbox['subscribe'] = async (client, topic, payers) => {
    const [known] = await mailbox.read(client, topic, 0, 1)
    const since = await mailbox.subscribe(client, topic, payers)
    if (!known) await told(tellClaimed(client, topic))
    return since
  }

  // Reads the message first: once the mailbox knows of the acknowledgement, it no longer shows it.
  const acknowledge: Mailbox['acknowledge'] = async (client, topic, seq) => {
    const reading = mailbox.read(client, topic, seq - 1, 1)
    await told(reading)
    const telling = reading.then(async ([message]) => {
      if (message?.seq === seq) await watches.tell(client, 'subscriber', 'delivered', message)
    })
    await Promise.all([mailbox.acknowledge(client, topic, seq), telling.catch(() => undefined)])
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
