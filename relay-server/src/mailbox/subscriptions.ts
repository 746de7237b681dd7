/** Stores subscriptions of clients with a key. Unsubscribes inactive clients. */
import { type Inbox, inboxesOf, inboxOf } from './inboxes.ts'
import { type Client, isNamed } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { type Topic, toSeconds } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'

/** Maximum number of topics that one step checks for inactive clients. */
const TOPICS_A_LOOK = 1000
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** Number of times that an active client's last activity is stored, at least, within its inactivity limit. */
const NOTES = 24
const DONE = Promise.resolve()

export type SubscriptionsOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Days of inactivity until a client is unsubscribed. */
  subscriptionDays: number
  /** Hours of inactivity until a client is unsubscribed from a topic that has never had a message for it. */
  unusedHours: number
  now: () => number
}

export const createSubscriptions = (options: SubscriptionsOptions) => {
  const { index, messages, recipients, subscriptionDays, unusedHours, now } = options

  /** Stores a subscription. */
  const enlist = (client: Client, { name }: Topic, inbox: Inbox): Promise<void> => {
    if (inbox.state === 'used') inbox.state = 'noted'
    const { since, seenAt, state } = inbox
    return messages.subscribe(inbox, {
      topic: name,
      client,
      since,
      seenAt: seenAt * 1000,
      isUsed: state === 'noted',
    })
  }

  /** Returns the inactivity limit in ms, which is shorter for a topic that has never had a message for the client. */
  const patience = ({ state }: Inbox): number => (state === 'unused' ? unusedHours * HOUR : subscriptionDays * DAY)

  /** Records the client's activity, and stores it if the stored time is too old. */
  const see = (client: Client, topic: Topic, inbox: Inbox): Promise<void> | undefined => {
    if (now() - inbox.seenAt * 1000 < Math.min(patience(inbox) / NOTES, DAY)) return undefined
    inbox.seenAt = toSeconds(now())
    return enlist(client, topic, inbox)
  }

  /** Unsubscribes the client. */
  const leave = (client: Client, topic: Topic): Promise<void> => {
    const inbox = inboxOf(topic, client)
    recipients.dismiss(client, topic)
    return inbox && isNamed(client) ? messages.unsubscribe(inbox, topic.name, client) : DONE
  }

  const look = (client: Client, topic: Topic, inbox: Inbox): Promise<void> => {
    if (now() - inbox.seenAt * 1000 > patience(inbox)) return leave(client, topic)
    return inbox.state === 'used' ? enlist(client, topic, inbox) : DONE
  }

  /**
   * Unsubscribes inactive clients, and stores that a subscription has had its first message. Each call checks a few
   * topics.
   */
  const forgetAbsent = (): void => {
    for (const topic of index.walk(TOPICS_A_LOOK))
      for (const inbox of inboxesOf(topic))
        if (isNamed(inbox.client)) look(inbox.client, topic, inbox).catch(() => undefined)
  }

  return { enlist, see, leave, forgetAbsent }
}
