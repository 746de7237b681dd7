/**
 * `fetchMessages`, `batchFetchMessages` and `batchReceive`, which read messages without pushes. Fetching does not
 * remove a message. A receipt acknowledges it, like the response to a push.
 */
import { BYTES_A_TOKEN } from '@heliograph/shared/server/limits/rate'
import { parseParams } from '@heliograph/shared/wire/params'
import { relaySchemas } from '@heliograph/shared/wire/relay-methods'
import { createAddressQueue } from '../../delivery/address-queue.ts'
import type { Peer } from '../../delivery/delivery.ts'
import { pendingMessages } from '../../delivery/pending-messages.ts'
import type { Client } from '../../mailbox/mailbox.ts'
import { messageIdOf, messageNumberOf } from '../../mailbox/message-id.ts'
import type { Method, Outcome, Parts } from '../method.ts'

/** Maximum number of messages per response, and approximate maximum of their total characters. */
const FETCH_MESSAGES = 500
const FETCH_CHARACTERS = 1024 * 1024

type Receipts = readonly { topic: string; messageId: string | number }[]

export const mailboxMethods = ({ mailbox, metrics }: Parts) => {
  const inOrder = createAddressQueue()
  /** Characters that each peer has fetched in calls that are not answered yet, such as earlier calls of a batch. */
  const held = new WeakMap<Peer, number>()
  const hold = (peer: Peer, characters: number): void => {
    held.set(peer, (held.get(peer) ?? 0) + characters)
  }

  const collect = async (client: Client, topics: Iterable<string>) => {
    const messages = []
    let characters = 0
    for (const topic of topics)
      for await (const { json, publishedAt, tag, attestation } of pendingMessages(mailbox, client, topic)) {
        const size = json.length + attestation.length
        const isFull = messages.length === FETCH_MESSAGES || characters + size > FETCH_CHARACTERS
        if (isFull && messages.length > 0) return { messages, characters, hasMore: true }
        characters += size
        messages.push({ topic, message: JSON.parse(json), publishedAt, tag, attestation })
      }
    return { messages, characters, hasMore: false }
  }

  /** Fetches messages up to the maximum of one response. Calls of the same batch share that maximum. */
  const fetchAll = async (peer: Peer, topics: Iterable<string>): Promise<Outcome> => {
    if ((held.get(peer) ?? 0) > FETCH_CHARACTERS) return { result: { messages: [], hasMore: true } }
    const { characters, ...result } = await collect(peer.client, topics)
    hold(peer, characters)
    const cost = result.messages.length + Math.floor(characters / BYTES_A_TOKEN)
    return { result, after: () => hold(peer, -characters), cost }
  }

  const fetchMessages: Method = async (peer, params, prefix) => {
    const { topic } = parseParams(params, relaySchemas(prefix).fetchMessages)
    return inOrder(peer, () => fetchAll(peer, [topic]))
  }

  const batchFetchMessages: Method = async (peer, params, prefix) => {
    const { topics } = parseParams(params, relaySchemas(prefix).batchFetchMessages)
    return inOrder(peer, () => fetchAll(peer, new Set(topics)))
  }

  const receiveAll = async ({ client }: Peer, receipts: Receipts): Promise<Outcome> => {
    const received = new Map<string, Set<string | number>>()
    for (const { topic, messageId } of receipts) received.set(topic, (received.get(topic) ?? new Set()).add(messageId))
    const found: { topic: string; seq: number }[] = []
    let cost = 0
    for (const [topic, ids] of received)
      for await (const message of pendingMessages(mailbox, client, topic)) {
        cost += 1
        const id = messageIdOf(message)
        if (ids.has(id) || ids.has(messageNumberOf(id))) found.push({ topic, seq: message.seq })
      }
    await Promise.all(found.map(({ topic, seq }) => mailbox.acknowledge(client, topic, seq)))
    metrics.acknowledgements.inc(found.length)
    return { result: true, cost }
  }

  /** Acknowledges the messages of receipts. Receipts for unknown or expired messages are ignored. */
  const batchReceive: Method = async (peer, params, prefix) => {
    const { receipts } = parseParams(params, relaySchemas(prefix).batchReceive)
    return inOrder(peer, () => receiveAll(peer, receipts))
  }

  return { fetchMessages, batchFetchMessages, batchReceive }
}
