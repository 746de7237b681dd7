/**
 * The mailbox of one process. Messages are in a log on disk. Recipients, the order of each topic and the expiry
 * index are in memory and restored from the log at start.
 */
import { NOBODY, type Payers, type Shares } from '@heliograph/shared/server/limits/shares'
import type { Logger } from '@heliograph/shared/server/process/log'
import type { Log } from '@heliograph/shared/server/storage/log'
import { relayError } from '../reasons.ts'
import { createCensus } from './census.ts'
import { type Inbox, inboxesOf, inboxOf } from './inboxes.ts'
import { createIntake } from './intake.ts'
import { type Client, isNamed, type Mailbox, type MailboxLimits, type Message } from './mailbox.ts'
import { createRefusals } from './mailbox-limits.ts'
import { openMessageLog } from './message-log.ts'
import { createRecipients } from './recipients.ts'
import { restore } from './restore.ts'
import { createSubscriptions } from './subscriptions.ts'
import { type Entry, entryAt, type Topic, toSeconds } from './topic.ts'
import { createTopicIndex } from './topic-index.ts'
import { namedWaitersOf, waitingAfter } from './waiters.ts'

/** Maximum number of expired messages that are removed in one turn of the event loop. */
const SWEEP_MESSAGES = 2000

export type LocalMailboxOptions = {
  /** Log that has only the mailbox's records. */
  storage: Log
  /** Returns the reason why the storage refuses new records, or undefined. */
  failure: () => string | undefined
  limits: MailboxLimits
  shares: Shares
  log: Logger
  /** Called with the number and bytes of expired messages. */
  onExpired?: (messages: number, bytes: number) => void
  /** Returns Unix time in milliseconds. */
  now?: () => number
}

const DONE = Promise.resolve()

const inboxIn = (topic: Topic | undefined, client: Client): Inbox | undefined => topic && inboxOf(topic, client)

/** Opens the mailbox and restores it from its log. */
export const openLocalMailbox = (options: LocalMailboxOptions): Mailbox => {
  const { storage, failure, limits, shares, log, onExpired = () => undefined, now = Date.now } = options
  const messages = openMessageLog(storage)
  const index = createTopicIndex(now(), shares)
  const recipients = createRecipients(index, messages)
  const { subscriptionDays, unusedHours } = limits
  /**
   * Returns the accounts of a client restored from the log. Its address is not stored, so the client is charged alone.
   */
  const payersOf = (client: Client): Payers => shares.accountOf('client', client).alone
  const subscriptions = createSubscriptions({ index, messages, recipients, subscriptionDays, unusedHours, now })
  const { refuseMessage, refuseSubscription } = createRefusals(index, limits, shares)
  const last = restore({ index, messages, recipients, payersOf, log, now: now() })

  const census = createCensus(index.all, (topic, seq) => {
    const entry = entryAt(topic, seq)
    return entry && messages.read(entry)?.publishedAt
  })

  messages.setOwner({
    message: (name, seq) => {
      const topic = index.find(name)
      return topic && entryAt(topic, seq)
    },
    subscription: (name, client) => inboxIn(index.find(name), client),
    waits: place => {
      const entry = place as Entry
      return [entry.seq, entry.isOpen, namedWaitersOf(entry)]
    },
  })

  const unavailable = (cause: string) => relayError('resourceUnavailable', 'storeFailing', { cause })

  /** Resolves when the write is durable. Throws RpcError -32002 if it fails. */
  const asUnavailable = async (written: Promise<void>): Promise<void> => {
    try {
      await written
    } catch (err) {
      log.error({ err }, 'the store refuses writes')
      throw unavailable(failure() ?? 'see the log')
    }
  }

  /** While the store is failing, refuses new data but accepts removals. */
  const refuseFailing = (): void => {
    const reason = failure()
    if (reason !== undefined) throw unavailable(reason)
  }

  const intake = createIntake({ index, messages, recipients, refuseFailing, refuseMessage, asUnavailable, last, now })
  const { append, announce, textOf, lastSeq, lastDurable } = intake

  const acknowledger: Mailbox['acknowledger'] = (client, name) => {
    let topic = index.find(name)
    let inbox = inboxIn(topic, client)
    return seq => {
      if (!inbox || inbox.state === 'over') {
        topic = index.find(name)
        inbox = inboxIn(topic, client)
      }
      const entry = topic && entryAt(topic, seq)
      return entry && inbox ? recipients.acknowledge(client, inbox, entry) : DONE
    }
  }

  /** Removes expired messages, at most `SWEEP_MESSAGES` per turn until none is left. */
  const sweepSome = (): void => {
    const expired = index.expired(now(), SWEEP_MESSAGES)
    for (const entry of expired) recipients.expire(entry)
    if (expired.length > 0)
      onExpired(
        expired.length,
        expired.reduce((sum, { size }) => sum + size, 0),
      )
    if (expired.length === SWEEP_MESSAGES) setImmediate(sweepSome)
  }

  return {
    append,
    announce,
    textOf,

    attached: name => index.find(name)?.attached,

    attach: index.attach,

    subscribe: async (client, name, payers = NOBODY) => {
      const known = index.find(name)
      const inbox = inboxIn(known, client)
      if (!inbox) refuseSubscription(client, known, payers)
      const topic = known ?? index.topicOf(name)
      const since = lastSeq()
      topic.usedAt = toSeconds(now())
      const enrolled = inbox ?? index.enroll(client, topic, since, now(), payers)
      if (inbox) index.charge(topic, inbox, payers)
      for (const entry of topic.entries.filter(({ isOpen }) => isOpen)) recipients.claim(client, entry)
      if (!isNamed(client)) return since
      if (inbox) {
        // The response to the subscription also waits until the client's earlier acknowledgements are durable.
        await asUnavailable(subscriptions.see(client, topic, inbox) ?? messages.commit())
        return since
      }
      try {
        await asUnavailable(subscriptions.enlist(client, topic, enrolled))
      } catch (refusal) {
        recipients.withdraw(client, topic)
        messages.unsubscribe(enrolled, name, client).catch(() => undefined)
        throw refusal
      }
      return since
    },

    unsubscribe: async (client, name) => {
      const topic = index.find(name)
      if (topic && inboxOf(topic, client)) await asUnavailable(subscriptions.leave(client, topic))
    },

    clients: async name => {
      const topic = index.find(name)
      return topic ? Array.from(inboxesOf(topic), ({ client }) => client) : []
    },

    read: async (client, name, seq, limit) => {
      const topic = index.find(name)
      const found: Message[] = []
      const damaged: Entry[] = []
      if (!topic) return found
      for (const next of waitingAfter(topic, client, seq)) {
        if (found.length === limit || next > lastDurable()) break
        const entry = entryAt(topic, next)
        if (!entry || entry.expiresAt <= now()) continue
        const message = messages.read(entry)
        if (message) found.push(message)
        else damaged.push(entry)
      }
      for (const entry of damaged) void recipients.drop(entry)
      return found
    },

    acknowledge: (client, name, seq) => acknowledger(client, name)(seq),

    acknowledger,

    sweep: async () => {
      sweepSome()
      subscriptions.forgetAbsent()
      census.step(now())
    },

    size: () => ({ ...index.size(), ...census.found() }),
    close: () => DONE,
  }
}
