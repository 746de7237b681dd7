/** Checks the mailbox's limits. Errors name the limit's setting. */
import {
  crowding,
  type Holder,
  type Payers,
  partOfTopic,
  type Resource,
  type Shares,
  usedUpShare,
} from '@heliograph/shared/server/limits/shares'
import { relayError } from '../reasons.ts'
import { inboxCount } from './inboxes.ts'
import type { Client, MailboxLimits } from './mailbox.ts'
import { crowdOf, type Topic } from './topic.ts'
import type { TopicIndex } from './topic-index.ts'

type Limit =
  | 'topicMessages'
  | 'topicBytes'
  | 'storeMessages'
  | 'storeBytes'
  | 'topicClients'
  | 'clientTopics'
  | 'subscriptions'

const refuse = (reason: Limit, limit: number, setting: string): never => {
  throw relayError('limitExceeded', reason, { limit, setting })
}

/** Reasons of errors about the part of a topic's limit that one holder may use. */
type Part = 'topicMessagesOfHolder' | 'topicBytesOfHolder' | 'topicClientsOfHolder'

const refusePart = (reason: Part, limit: number, holder: Holder, setting: string): never => {
  throw relayError('limitExceeded', reason, { limit, holder, setting })
}

const refuseShare = (shares: Shares, payers: Payers, resource: Resource, amount: number): void => {
  const payer = shares.exhausted(payers, resource, amount)
  if (payer) throw relayError('limitExceeded', 'shareUsedUp', usedUpShare(payer, resource, shares.limits))
}

/** Returns how many messages, bytes and clients of a topic one address or client may have. */
export const partsOf = ({ topicMessages, topicBytes, topicClients }: MailboxLimits) => ({
  messages: partOfTopic(topicMessages, 'messages'),
  bytes: partOfTopic(topicBytes, 'bytes'),
  clients: partOfTopic(topicClients, 'clients'),
})

export const createRefusals = (index: TopicIndex, limits: MailboxLimits, shares: Shares) => {
  const parts = partsOf(limits)

  const refusePayer = (topic: Topic, size: number, payers: Payers): void => {
    const { entries, bytes } = topic
    const byCount = entries.length >= parts.messages && crowding(payers, crowdOf(topic).messages, parts.messages, 1)
    if (byCount) refusePart('topicMessagesOfHolder', parts.messages, byCount.holder, 'topic-messages')
    const byBytes = bytes + size > parts.bytes && crowding(payers, crowdOf(topic).bytes, parts.bytes, size)
    if (byBytes) refusePart('topicBytesOfHolder', parts.bytes, byBytes.holder, 'topic-bytes')
  }

  return {
    /**
     * Checks that the topic, the payers' shares and the store have room for a message of that size. Throws
     * RpcError -32005.
     */
    refuseMessage: (topic: Topic | undefined, size: number, payers: Payers): void => {
      const { topicMessages, topicBytes, storeMessages, storeBytes } = limits
      const { messages, bytes } = index.totals
      if ((topic?.entries.length ?? 0) >= topicMessages) refuse('topicMessages', topicMessages, 'topic-messages')
      if ((topic?.bytes ?? 0) + size > topicBytes) refuse('topicBytes', topicBytes, 'topic-bytes')
      if (topic) refusePayer(topic, size, payers)
      refuseShare(shares, payers, 'messages', 1)
      refuseShare(shares, payers, 'bytes', size)
      if (messages >= storeMessages) refuse('storeMessages', storeMessages, 'store-messages')
      if (bytes + size > storeBytes) refuse('storeBytes', storeBytes, 'store-bytes')
    },
    /**
     * Checks that the topic, the client, its payers' shares and the store allow a subscription. Throws RpcError -32005.
     */
    refuseSubscription: (client: Client, topic: Topic | undefined, payers: Payers): void => {
      const { topicClients, clientTopics, subscriptions } = limits
      if (topic && inboxCount(topic) >= topicClients) refuse('topicClients', topicClients, 'topic-clients')
      if (topic && inboxCount(topic) >= parts.clients) {
        const crowd = crowding(payers, crowdOf(topic).clients, parts.clients, 1)
        if (crowd) refusePart('topicClientsOfHolder', parts.clients, crowd.holder, 'topic-clients')
      }
      if (index.topicsOf(client) >= clientTopics) refuse('clientTopics', clientTopics, 'client-topics')
      refuseShare(shares, payers, 'subscriptions', 1)
      if (index.totals.subscriptions >= subscriptions) refuse('subscriptions', subscriptions, 'subscriptions')
    },
  }
}
