/** Which named clients are on which topics, as it is stored: those that do not come any more are taken off. */
import { inboxesOf, inboxOf } from './inboxes.ts'
import { type Client, isNamed } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import { type Inbox, type Topic, toSeconds } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'

/** Topics whose clients one look for the absent takes in. */
const TOPICS_A_LOOK = 1000
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** How often it is noted, at least, that a client comes while it is waited for. */
const NOTES = 24
const DONE = Promise.resolve()

export type SubscriptionsOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Days after which a client that has not come is taken off a topic. */
  subscriptionDays: number
  /** Hours after which it is taken off a topic that has never had a message for it. */
  unusedHours: number
  now: () => number
}

export const createSubscriptions = (options: SubscriptionsOptions) => {
  const { index, messages, recipients, subscriptionDays, unusedHours, now } = options

  /** Stores that the client is on the topic. */
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

  /** How long a client may stay away from a topic, in ms: not long if it has never had a message there. */
  const patience = ({ state }: Inbox): number => (state === 'unused' ? unusedHours * HOUR : subscriptionDays * DAY)

  /** Stores that the client still comes, if that was last noted long ago. */
  const see = (client: Client, topic: Topic, inbox: Inbox): Promise<void> | undefined => {
    if (now() - inbox.seenAt * 1000 < Math.min(patience(inbox) / NOTES, DAY)) return undefined
    inbox.seenAt = toSeconds(now())
    return enlist(client, topic, inbox)
  }

  /** Takes the client off the topic. */
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
   * Takes clients off topics to which they do not come any more, and stores which subscriptions are used: a few topics at
   * a time.
   */
  const forgetAbsent = (): void => {
    for (const topic of index.walk(TOPICS_A_LOOK))
      for (const inbox of inboxesOf(topic))
        if (isNamed(inbox.client)) look(inbox.client, topic, inbox).catch(() => undefined)
  }

  return { enlist, see, leave, forgetAbsent }
}
