/** Which named clients are on which topics, as it is stored: those that do not come any more are taken off. */
import { type Client, isNamed } from './mailbox.ts'
import type { MessageLog } from './message-log.ts'
import type { Recipients } from './recipients.ts'
import type { Inbox, Topic, TopicIndex } from './topic-index.ts'

/** Topics whose clients one look for the absent takes in. */
const TOPICS_A_LOOK = 1000
const DAY = 24 * 60 * 60 * 1000
const DONE = Promise.resolve()

export type SubscriptionsOptions = {
  index: TopicIndex
  messages: MessageLog
  recipients: Recipients
  /** Days after which a client that has not come is taken off a topic. */
  subscriptionDays: number
  now: () => number
}

export const createSubscriptions = (options: SubscriptionsOptions) => {
  const { index, messages, recipients, subscriptionDays, now } = options

  /** Stores that the client is on the topic. */
  const enlist = (client: Client, { name }: Topic, inbox: Inbox): Promise<void> => {
    inbox.seenAt = now()
    const { since, seenAt } = inbox
    return messages.subscribe(inbox, { topic: name, client, since, seenAt })
  }

  /** Stores that the client still comes, if that was last noted a day ago. */
  const see = (client: Client, topic: Topic, inbox: Inbox): Promise<void> | undefined =>
    now() - inbox.seenAt < DAY ? undefined : enlist(client, topic, inbox)

  /** Takes the client off the topic. */
  const leave = (client: Client, topic: Topic): Promise<void> => {
    const inbox = topic.clients.get(client)
    recipients.dismiss(client, topic)
    return inbox && isNamed(client) ? messages.unsubscribe(inbox, topic.name, client) : DONE
  }

  /** Takes clients off topics to which they do not come any more: a few topics at a time. */
  const forgetAbsent = (): void => {
    const absentSince = now() - subscriptionDays * DAY
    for (const topic of index.walk(TOPICS_A_LOOK))
      for (const [client, inbox] of topic.clients)
        if (inbox.isNamed && inbox.seenAt < absentSince) leave(client, topic).catch(() => undefined)
  }

  return { enlist, see, leave, forgetAbsent }
}
