/** Reads and writes the contents of topics in Redis, for a transfer. No server may be running. */
import { type Amounts, heldIn, payerNames, setHeld } from '@heliograph/shared/server/limits/redis-accounts'
import type { Payers } from '@heliograph/shared/server/limits/shares'
import { listOf, type Redis, type Reply } from '@heliograph/shared/server/redis/redis'
import { each } from '@heliograph/shared/server/transfer/each'
import type { Patience, StoredClient, StoredMessage, TopicContents } from '../contents.ts'
import { type Client, isNamed } from '../mailbox.ts'
import { callTopic, digestOf, messagesIn, stringsIn } from './topic-script.ts'

/**
 * Maximum messages per call, and maximum characters of their texts and recipients. A longer message gets its own call.
 */
const PAGE_MESSAGES = 200
const PAGE_LENGTH = 512 * 1024
/** Maximum number of messages read by one call. */
const READ_MESSAGES = 50

const lengthOf = ({ json, waiting }: StoredMessage): number =>
  waiting.reduce((sum, client) => sum + client.length, json.length)

/** Splits messages into pages, one for each call. Holds one page in memory. */
const pagesOf = async function* (messages: TopicContents['messages']): AsyncGenerator<StoredMessage[]> {
  let page: StoredMessage[] = []
  let length = 0
  for await (const message of messages) {
    if (page.length === PAGE_MESSAGES || (page.length > 0 && length + lengthOf(message) > PAGE_LENGTH)) {
      yield page
      page = []
      length = 0
    }
    page.push(message)
    length += lengthOf(message)
  }
  yield page
}

type RestoreTopicOptions = {
  redis: Redis
  patience: Patience
  /** Returns the accounts charged for a client's messages and subscriptions. */
  payersOf: (client: Client) => Payers
  /** Unix time in milliseconds. */
  now: number
}

/** Adds the contents of a topic to Redis. Leaves out messages and clients that Redis already has. */
export const restoreTopic = async (options: RestoreTopicOptions, { topic, clients, messages }: TopicContents) => {
  const { redis, patience, payersOf, now } = options
  const namesOf = (client: Client): string => payerNames(payersOf(client))

  const clientArguments = ({ client, seenAt, isUsed }: StoredClient) => {
    const ends = seenAt + (isUsed ? patience.subscriptionMs : patience.unusedMs)
    return [client, ends, isUsed ? '' : seenAt, namesOf(client)]
  }
  const messageArguments = (message: StoredMessage) => {
    const { seq, publisher, publishedAt, expiresAt, tag, size, attestation, json, isOpen, waiting } = message
    return [
      ...[
        seq,
        publisher,
        publishedAt,
        expiresAt,
        tag,
        size,
        digestOf(publisher, json),
        JSON.stringify(attestation),
        json,
      ],
      ...[isOpen ? 1 : 0, namesOf(publisher), waiting.length, ...waiting],
    ]
  }

  let last = 0
  let members = clients
  for await (const page of pagesOf(messages)) {
    const args = [last, members.length, ...members.flatMap(clientArguments), ...page.flatMap(messageArguments)]
    last = Number((await callTopic(redis, 'restore', topic, now, args)).value)
    members = []
  }
}

const pairsIn = (reply: Reply | undefined): [string, string][] => {
  const list = listOf(reply).map(String)
  return list.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, list[index + 1] ?? '']] : []))
}

/** Returns the clients with a key that each message waits for. Skips the empty client, which marks open messages. */
const waitingIn = (members: readonly string[]): Map<number, Client[]> => {
  const waiting = new Map<number, Client[]>()
  for (const member of members) {
    const [client = '', seq] = member.split('\0')
    if (client === '' || !isNamed(client as Client)) continue
    waiting.set(Number(seq), [...(waiting.get(Number(seq)) ?? []), client as Client])
  }
  return waiting
}

/** Reads the contents of a topic, including expired messages and subscriptions. */
export const readTopic = async (
  redis: Redis,
  topic: string,
  patience: Patience,
  now: number,
): Promise<TopicContents> => {
  const { value } = await callTopic(redis, 'contents', topic, now, [])
  const [clients, unused, states, inbox] = listOf(value)
  const unusedSince = new Map(pairsIn(unused))
  const waiting = waitingIn(stringsIn(inbox ?? null))
  const isOpen = new Map(pairsIn(states).map(([seq, state]) => [Number(seq), state.startsWith('1')]))
  const seqs = [...isOpen.keys()].sort((a, b) => a - b)

  const messagesOf = async function* (): AsyncGenerator<StoredMessage> {
    for (let at = 0; at < seqs.length; at += READ_MESSAGES) {
      const page = await callTopic(redis, 'records', topic, now, seqs.slice(at, at + READ_MESSAGES))
      for (const message of messagesIn(topic, page.value))
        yield { ...message, isOpen: isOpen.get(message.seq) ?? false, waiting: waiting.get(message.seq) ?? [] }
    }
  }
  return {
    topic,
    clients: pairsIn(clients)
      .filter(([client]) => isNamed(client as Client))
      .map(([name, ends]) => {
        const since = unusedSince.get(name)
        const seenAt = since === undefined ? Number(ends) - patience.subscriptionMs : Number(since)
        return { client: name as Client, seenAt, isUsed: since === undefined }
      }),
    messages: messagesOf(),
  }
}

/**
 * Recomputes the usage of each payer and sets their accounts, after a transfer has changed topics without charging
 * anybody. `topics` must be all topics. `lifetime` is an account's lifetime in ms.
 */
export const recountPayers = async (redis: Redis, topics: readonly string[], lifetime: number): Promise<void> => {
  const accounts = new Map<string, Amounts>()
  await each(topics, async topic => {
    const { value } = await callTopic(redis, 'crowd', topic, Date.now(), [])
    for (const { payer, resource, amount } of heldIn(value)) {
      const held = accounts.get(payer) ?? {}
      held[resource] = (held[resource] ?? 0) + amount
      accounts.set(payer, held)
    }
  })
  await each(accounts, ([payer, amounts]) => setHeld({ redis, prefix: 'relay', lifetime }, payer, amounts))
}
