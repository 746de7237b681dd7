/** Which named clients are on which topics, as it is stored: those that do not come any more are taken off. */
import type { Store } from '@heliograph/shared/server/store'
import { type Client, isNamed } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import type { Inbox, Topic, TopicIndex } from './topic-index.ts'

/** Topics whose clients one look for the absent takes in. */
const TOPICS_A_LOOK = 1000
const TABLE = 'subscriptions'
const DAY = 24 * 60 * 60 * 1000
const DONE = Promise.resolve()

/** `since` and `seenAt` as in `Inbox`. */
type Subscribed = [since: number, seenAt: number]

export type SubscriptionsOptions = {
  store: Store
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Days after which a client that has not come is taken off a topic. */
  subscriptionDays: number
  now: () => number
}

export const createSubscriptions = (options: SubscriptionsOptions) => {
  const { store, index, messages, recipients, subscriptionDays, now } = options
  const table = store.table<Subscribed, [topic: string, client: Client]>(TABLE, 'msgpack')

  /** Stores that the client is on the topic. */
  const enlist = (client: Client, { name }: Topic, since: number): Promise<void> => {
    const seenAt = now()
    const value: Subscribed = [since, seenAt]
    return messages.write({ table: TABLE, key: [name, client], value })
  }

  /** Stores that the client still comes, if that was last noted a day ago. */
  const see = (client: Client, topic: Topic, inbox: Inbox): Promise<void> | undefined => {
    if (now() - inbox.seenAt < DAY) return undefined
    inbox.seenAt = now()
    return enlist(client, topic, inbox.since)
  }

  /** Takes the client off the topic. */
  const leave = (client: Client, topic: Topic): Promise<void> => {
    recipients.dismiss(client, topic)
    if (!isNamed(client)) return DONE
    return messages.write({ table: TABLE, key: [topic.name, client] })
  }

  /** Takes clients off topics to which they do not come any more: a few topics at a time. */
  const forgetAbsent = (): void => {
    const absentSince = now() - subscriptionDays * DAY
    for (const topic of index.walk(TOPICS_A_LOOK))
      for (const [client, inbox] of topic.clients)
        if (inbox.isNamed && inbox.seenAt < absentSince) leave(client, topic).catch(() => undefined)
  }

  /** Reads all back. Returns the last message of which one of them knows. */
  const load = (): number => {
    let last = 0
    const put = (name: string, client: Client, [since, seenAt]: Subscribed): void => {
      index.enroll(client, index.topicOf(name), since, seenAt)
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
