/** Checks the mailbox's limits. Errors name the setting. */
import { rpcError } from '@heliograph/shared/errors'
import {
  crowding,
  type Payers,
  partOfTopic,
  type Resource,
  type Shares,
  shareText,
} from '@heliograph/shared/server/limits/shares'
import { inboxCount, inboxesOf } from './inboxes.ts'
import type { Client, MailboxLimits } from './mailbox.ts'
import type { Topic } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'

const refuse = (text: string): never => {
  throw rpcError('limitExceeded', text)
}

const refuseShare = (shares: Shares, payers: Payers, resource: Resource, amount: number): void => {
  const payer = shares.exhausted(payers, resource, amount)
  if (payer) refuse(shareText(payer, resource, shares.limits))
}

export const createRefusals = (index: TopicIndex, limits: MailboxLimits, shares: Shares) => {
  /** Maximum that one address or client may have of a topic. */
  const parts = {
    messages: partOfTopic(limits.topicMessages, 'messages'),
    bytes: partOfTopic(limits.topicBytes, 'bytes'),
    clients: partOfTopic(limits.topicClients, 'clients'),
  }

  const refuseCrowding = ({ log, bytes }: Topic, size: number, payers: Payers): void => {
    const byCount = log.length >= parts.messages && crowding(payers, log, parts.messages, 1, () => 1)
    if (byCount) refuse(`a topic holds at most ${parts.messages} messages of one ${byCount.holder} (topic-messages)`)
    const byBytes = bytes + size > parts.bytes && crowding(payers, log, parts.bytes, size, entry => entry.size)
    if (byBytes) refuse(`a topic holds at most ${parts.bytes} bytes of one ${byBytes.holder} (topic-bytes)`)
  }

  return {
    /**
     * Checks that the topic, the payers' shares and the store have room for a message of that size. Throws
     * RpcError -32005.
     */
    refuseFull: (topic: Topic | undefined, size: number, payers: Payers): void => {
      const { topicMessages, topicBytes, storeMessages, storeBytes } = limits
      const { messages, bytes } = index.totals
      if ((topic?.log.length ?? 0) >= topicMessages)
        refuse(`a topic holds at most ${topicMessages} messages (topic-messages)`)
      if ((topic?.bytes ?? 0) + size > topicBytes) refuse(`a topic holds at most ${topicBytes} bytes (topic-bytes)`)
      if (topic) refuseCrowding(topic, size, payers)
      refuseShare(shares, payers, 'messages', 1)
      refuseShare(shares, payers, 'bytes', size)
      if (messages >= storeMessages) refuse(`this relay holds at most ${storeMessages} messages (store-messages)`)
      if (bytes + size > storeBytes) refuse(`this relay holds at most ${storeBytes} bytes (store-bytes)`)
    },
    /** Checks that the topic, the client, its payers' shares and the store allow a subscription. Throws RpcError -32005. */
    refuseCrowd: (client: Client, topic: Topic | undefined, payers: Payers): void => {
      const { topicClients, clientTopics, subscriptions } = limits
      if (topic && inboxCount(topic) >= topicClients)
        refuse(`a topic has at most ${topicClients} clients (topic-clients)`)
      if (topic && inboxCount(topic) >= parts.clients) {
        const crowd = crowding(payers, inboxesOf(topic), parts.clients, 1, () => 1)
        if (crowd) refuse(`a topic has at most ${parts.clients} clients of one ${crowd.holder} (topic-clients)`)
      }
      if (index.topicsOf(client) >= clientTopics) refuse(`a client has at most ${clientTopics} topics (client-topics)`)
      refuseShare(shares, payers, 'subscriptions', 1)
      if (index.totals.subscriptions >= subscriptions)
        refuse(`this relay has at most ${subscriptions} subscriptions (subscriptions)`)
    },
  }
}
