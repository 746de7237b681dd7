/**
 * `fetchMessages`, `batchFetchMessages` and `batchReceive`: a mailbox without pushes. Fetching shows what waits for the
 * client and takes nothing away; a receipt does, as the answer to a push would.
 */
import { BYTES_A_TOKEN } from '@heliograph/shared/server/rate'
import { parseParams } from '@heliograph/shared/wire/params'
import { relaySchemas } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery.ts'
import type { Client } from '../mailbox/mailbox.ts'
import { messageIdOf, messageNumberOf } from '../message-id.ts'
import type { Method, Outcome, Parts } from '../method.ts'
import { createTurns } from '../turns.ts'
import { waitingFor } from '../waiting.ts'

/** Messages of one answer, and about how many characters they may have together. */
const FETCH_MESSAGES = 500
const FETCH_CHARACTERS = 1024 * 1024

type Receipts = readonly { topic: string; messageId: string | number }[]

export const mailboxMethods = ({ mailbox, metrics }: Parts) => {
  const inTurn = createTurns()
  /** Characters of what peers have fetched in batches that have no answer yet. */
  const held = new WeakMap<Peer, number>()
  const hold = (peer: Peer, characters: number): void => {
    held.set(peer, (held.get(peer) ?? 0) + characters)
  }

  const collect = async (client: Client, topics: Iterable<string>) => {
    const messages = []
    let characters = 0
    for (const topic of topics)
      for await (const { message, publishedAt, tag } of waitingFor(mailbox, client, topic)) {
        const isFull = messages.length === FETCH_MESSAGES || characters + message.length > FETCH_CHARACTERS
        if (isFull && messages.length > 0) return { messages, characters, hasMore: true }
        characters += message.length
        messages.push({ topic, message: JSON.parse(message), publishedAt, tag })
      }
    return { messages, characters, hasMore: false }
  }

  /** What waits, as far as it fits into an answer, or into one with the other calls of a batch. */
  const fetchAll = async (peer: Peer, topics: Iterable<string>): Promise<Outcome> => {
    if ((held.get(peer) ?? 0) > FETCH_CHARACTERS) return { result: { messages: [], hasMore: true } }
    const { characters, ...result } = await collect(peer.client, topics)
    hold(peer, characters)
    const cost = result.messages.length + Math.floor(characters / BYTES_A_TOKEN)
    return { result, after: () => hold(peer, -characters), cost }
  }

  const fetchMessages: Method = async (peer, params, prefix) => {
    const { topic } = parseParams(relaySchemas(prefix).fetchMessages, params)
    return inTurn(peer, () => fetchAll(peer, [topic]))
  }

  const batchFetchMessages: Method = async (peer, params, prefix) => {
    const { topics } = parseParams(relaySchemas(prefix).batchFetchMessages, params)
    return inTurn(peer, () => fetchAll(peer, new Set(topics)))
  }

  const receiveAll = async ({ client }: Peer, receipts: Receipts): Promise<Outcome> => {
    const received = new Map<string, Set<string | number>>()
    for (const { topic, messageId } of receipts) received.set(topic, (received.get(topic) ?? new Set()).add(messageId))
    const found: { topic: string; seq: number }[] = []
    let cost = 0
    for (const [topic, ids] of received)
      for await (const message of waitingFor(mailbox, client, topic)) {
        cost += 1
        const id = messageIdOf(message)
        if (ids.has(id) || ids.has(messageNumberOf(id))) found.push({ topic, seq: message.seq })
      }
    await Promise.all(found.map(({ topic, seq }) => mailbox.acknowledge(client, topic, seq)))
    metrics.acknowledgements.inc(found.length)
    return { result: true, cost }
  }

  /** A receipt for what does not wait, or no more, is none. */
  const batchReceive: Method = async (peer, params, prefix) => {
    const { receipts } = parseParams(relaySchemas(prefix).batchReceive, params)
    return inTurn(peer, () => receiveAll(peer, receipts))
  }

  return { fetchMessages, batchFetchMessages, batchReceive }
}
