/**
 * Reports events to watches. While no client is watched, this costs nothing. Otherwise a publish, a subscription or an
 * acknowledgement completes only when its events are stored too.
 */
import type { Logger } from '@heliograph/shared/server/process/log'
import type { WatchStatus, WatchType } from '@heliograph/shared/wire/watch'
import { pendingMessages } from '../delivery/pending-messages.ts'
import type { Client, Commit, Mailbox, Publication } from '../mailbox/mailbox.ts'
import type { Watches } from './watches.ts'

export type ReportsOptions = {
  mailbox: Mailbox
  watches: Watches
  /** True if a socket of the client is subscribed to the topic. */
  isLive: (client: Client, topic: string) => boolean
  log: Logger
}

export type Reports = {
  /**
   * Reports messages that the mailbox has just accepted, once their commit is durable. Returns undefined while no
   * client is watched. Otherwise resolves when the events are durable or the commit is refused, and never rejects.
   */
  published: (publisher: Client, publications: readonly Publication[], commit: Commit) => Promise<unknown> | undefined
  /** The mailbox's methods for recipients. They also report the events of watched recipients. */
  recipients: Pick<Mailbox, 'subscribe' | 'acknowledge' | 'acknowledger'>
}

type Occasion = readonly [client: Client, typ: WatchType, status: WatchStatus]

export const createReports = ({ mailbox, watches, isLive, log }: ReportsOptions): Reports => {
  /** Yields the events that a publish causes. */
  const occasionsOf = function* (publisher: Client, topic: string, clients: readonly Client[]): Generator<Occasion> {
    if (watches.has(publisher)) yield [publisher, 'publisher', 'accepted']
    for (const client of clients) {
      if (client === publisher || !watches.has(client)) continue
      yield [client, 'subscriber', 'accepted']
      if (!isLive(client, topic)) yield [client, 'subscriber', 'queued']
    }
  }

  /** Reports a message once its commit is durable. */
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

  /** Logs a failed report instead of rejecting: the result of a client's call does not depend on it. */
  const logged = (work: Promise<unknown>): Promise<unknown> =>
    work.catch(err => log.error({ err }, 'an event could not be reported to a watch'))

  /** Reports messages that were open before the client subscribed as accepted for the client. */
  const tellClaimed = async (client: Client, topic: string): Promise<void> => {
    const telling: Promise<void>[] = []
    for await (const message of pendingMessages(mailbox, client, topic))
      telling.push(watches.tell(client, 'subscriber', 'accepted', message))
    await Promise.all(telling)
  }

  const subscribe: Mailbox['subscribe'] = async (client, topic, payers) => {
    const [known] = await mailbox.read(client, topic, 0, 1)
    const since = await mailbox.subscribe(client, topic, payers)
    if (!known) await logged(tellClaimed(client, topic))
    return since
  }

  // Reads the message before it is acknowledged, because the mailbox does not return it afterwards.
  const acknowledge: Mailbox['acknowledge'] = async (client, topic, seq) => {
    const reading = mailbox.read(client, topic, seq - 1, 1)
    await logged(reading)
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
    published: (publisher, publications, commit) => {
      if (!watches.has()) return undefined
      return logged(Promise.all(publications.map(publication => tellOf(publisher, publication, commit))))
    },

    recipients: {
      subscribe: (client, topic, payers) =>
        (watches.has(client) ? subscribe : mailbox.subscribe)(client, topic, payers),
      acknowledge: (client, topic, seq) => acknowledger(client, topic)(seq),
      acknowledger,
    },
  }
}
