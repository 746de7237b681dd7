/** Leaves out expired messages and inactive clients when a topic is moved, and counts the rest. */
import type { Tally } from '@heliograph/shared/server/transfer/tally'
import type { Patience, StoredMessage, TopicContents } from '../mailbox/contents.ts'

/**
 * Returns the contents without expired messages, inactive clients, and messages that waited only for inactive clients.
 */
export const livingContents = (
  contents: TopicContents,
  patience: Patience,
  now: number,
  tally: Tally,
): TopicContents => {
  const { topic } = contents
  const clients = contents.clients.filter(
    ({ seenAt, isUsed }) => now - seenAt <= (isUsed ? patience.subscriptionMs : patience.unusedMs),
  )
  const isMember = new Set(clients.map(({ client }) => client))
  let isCounted = clients.length > 0
  tally.moved('topics', isCounted ? 1 : 0)
  tally.moved('subscriptions', clients.length)
  tally.expired('subscriptions', contents.clients.length - clients.length)

  const messages = async function* (): AsyncGenerator<StoredMessage> {
    for await (const message of contents.messages) {
      const waiting = message.waiting.filter(client => isMember.has(client))
      if (message.expiresAt <= now || (waiting.length === 0 && !message.isOpen)) {
        tally.expired('messages', 1)
        continue
      }
      if (!isCounted) tally.moved('topics', 1)
      isCounted = true
      tally.moved('messages', 1)
      tally.moved('bytes', message.size)
      yield { ...message, waiting }
    }
  }
  return { topic, clients, messages: messages() }
}
