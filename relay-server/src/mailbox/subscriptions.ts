/** Which named clients are on which topics, as it is stored: those that do not come any more are taken off. */

import type { Payers } from '@heliograph/shared/server/shares'
import type { Store } from '@heliograph/shared/server/store'
import { type Client, isNamed } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import type { Inbox, Topic, TopicIndex } from './topic-index.ts'

/** Topics whose clients one look for the absent takes in. */
const TOPICS_A_LOOK = 1000
const TABLE = 'subscriptions'
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** How often it is noted, at least, that a client comes while it is waited for. */
const NOTES = 24
const DONE = Promise.resolve()

/** `since`, `seenAt` and `isUsed` as in `Inbox`. */
type Subscribed = [since: number, seenAt: number, isUsed?: boolean]

export type SubscriptionsOptions = {
  store: Store
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Days after which a client that has not come is taken off a topic. */
  subscriptionDays: number
  /** Hours after which it is taken off a topic that has never had a message for it. */
  unusedHours: number
  /** Who pays for what a client has had since before the start. */
  payersOf: (client: Client) => Payers
  now: () => number
}

export const createSubscriptions = (options: SubscriptionsOptions) => {
  const { store, index, messages, recipients, subscriptionDays, unusedHours, payersOf, now } = options
  const table = store.table<Subscribed, [topic: string, client: Client]>(TABLE, 'msgpack')

  /** Stores that the client is on the topic. */
  const enlist = (client: Client, { name }: Topic, inbox: Inbox): Promise<void> => {
    inbox.isNoted = inbox.isUsed
    const value: Subscribed = [inbox.since, inbox.seenAt, inbox.isUsed]
    return messages.write({ table: TABLE, key: [name, client], value })
  }

  /** How long a client may stay away from a topic, in ms: not long if it has never had a message there. */
  const patience = ({ isUsed }: Inbox): number => (isUsed ? subscriptionDays * DAY : unusedHours * HOUR)

  /** Stores that the client still comes, if that was last noted long ago. */
  const see = (client: Client, topic: Topic, inbox: Inbox): Promise<void> | undefined => {
    if (now() - inbox.seenAt < Math.min(patience(inbox) / NOTES, DAY)) return undefined
    inbox.seenAt = now()
    return enlist(client, topic, inbox)
  }

  /** Takes the client off the topic. */
  const leave = (client: Client, topic: Topic): Promise<void> => {
    recipients.dismiss(client, topic)
    if (!isNamed(client)) return DONE
    return messages.write({ table: TABLE, key: [topic.name, client] })
  }

  const look = (client: Client, topic: Topic, inbox: Inbox): Promise<void> => {
    if (now() - inbox.seenAt > patience(inbox)) return leave(client, topic)
    return inbox.isUsed && !inbox.isNoted ? enlist(client, topic, inbox) : DONE
  }

  /**
   * Takes clients off topics to which they do not come any more, and stores which subscriptions are used: a few topics at
   * a time.
   */
  const forgetAbsent = (): void => {
    for (const topic of index.walk(TOPICS_A_LOOK))
      for (const [client, inbox] of topic.clients) if (inbox.isNamed) look(client, topic, inbox).catch(() => undefined)
  }

  /** Reads all back. Returns the last message of which one of them knows. */
  const load = (): number => {
    let last = 0
    const put = (name: string, client: Client, [since, seenAt, isUsed = true]: Subscribed): void => {
      const inbox = index.enroll(client, index.topicOf(name), since, seenAt, payersOf(client))
      inbox.isUsed = isUsed
      inbox.isNoted = isUsed
      last = Math.max(last, since)
    }
    for (const { key, value } of table.getRange()) put(...key, value)
    for (const row of messages.recovered(TABLE)) {
      const [name, client] = row.key as [string, Client]
      const topic = index.find(name)
      if (topic) index.strike(client, topic)
      if (row.value) put(name, client, row.value as Subscribed)
    }
    return last
  }

  return { enlist, see, leave, forgetAbsent, load }
}
