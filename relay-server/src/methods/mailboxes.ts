/**
 * `fetchMessages`, `batchFetchMessages` and `batchReceive`: a mailbox without pushes. Fetching shows what waits for the
 * client and takes nothing away; a receipt does, as the answer to a push would.
 */
import { parseParams } from '@heliograph/shared/wire/params'
import { relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Client } from '../mailbox.ts'
import { messageIdOf, messageNumberOf } from '../message-id.ts'
import type { Method, Parts } from '../method.ts'
import { waitingFor } from '../waiting.ts'

/** Messages of one answer, and about how many characters they may have together. */
const FETCH_MESSAGES = 500
const FETCH_CHARACTERS = 1024 * 1024

export const mailboxMethods = ({ mailbox, metrics }: Parts) => {
  const fetchAll = async (client: Client, topics: Iterable<string>) => {
    const messages = []
    let characters = 0
    for (const topic of topics)
      for await (const { message, publishedAt, tag } of waitingFor(mailbox, client, topic)) {
        characters += message.length
        if (messages.length === FETCH_MESSAGES || (messages.length > 0 && characters > FETCH_CHARACTERS))
          return { messages, hasMore: true }
        messages.push({ topic, message: JSON.parse(message), publishedAt, tag })
      }
    return { messages, hasMore: false }
  }

  const fetchMessages: Method = async ({ client }, params, prefix) => {
    const { topic } = parseParams(relaySchemas(prefix).fetchMessages, params)
    return { result: await fetchAll(client, [topic]) }
  }

  const batchFetchMessages: Method = async ({ client }, params, prefix) => {
    const { topics } = parseParams(relaySchemas(prefix).batchFetchMessages, params)
    return { result: await fetchAll(client, new Set(topics)) }
  }

  /** A receipt for what does not wait, or no more, is none. */
  const batchReceive: Method = async ({ client }, params, prefix) => {
    const { receipts } = parseParams(relaySchemas(prefix).batchReceive, params)
    const received = new Map<string, Set<string | number>>()
    for (const { topic, messageId } of receipts) received.set(topic, (received.get(topic) ?? new Set()).add(messageId))
    const found: { topic: string; seq: number }[] = []
    for (const [topic, ids] of received)
      for await (const message of waitingFor(mailbox, client, topic)) {
        const id = messageIdOf(message)
        if (ids.has(id) || ids.has(messageNumberOf(id))) found.push({ topic, seq: message.seq })
      }
    await Promise.all(found.map(({ topic, seq }) => mailbox.acknowledge(client, topic, seq)))
    metrics.acknowledgements.inc(found.length)
    return { result: true }
  }

  return { fetchMessages, batchFetchMessages, batchReceive }
}
