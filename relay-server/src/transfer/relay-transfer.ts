/** Moves the mailboxes and watches of a relay between a data folder and Redis. */
import { createShares } from '@heliograph/shared/server/limits/shares'
import type { Redis } from '@heliograph/shared/server/redis/redis'
import { SHARDS } from '@heliograph/shared/server/redis/shards'
import { each } from '@heliograph/shared/server/transfer/each'
import { copyTable, type MovedTable } from '@heliograph/shared/server/transfer/rows'
import type { Tally } from '@heliograph/shared/server/transfer/tally'
import type { Ends, Transfer } from '@heliograph/shared/server/transfer/transfer'
import { type RelayConfig, relayRows } from '../config.ts'
import { lifetimeOf, type Patience, patienceOf, type StoredMessage, type TopicContents } from '../mailbox/contents.ts'
import { createLocalWriter, readLocalContents, UNLIMITED } from '../mailbox/local-contents.ts'
import type { Client } from '../mailbox/mailbox.ts'
import { LOG_NAME, numberOf } from '../mailbox/message-log.ts'
import { createClientTopics } from '../mailbox/redis/client-topics.ts'
import { readTopic, recountPayers, restoreTopic } from '../mailbox/redis/redis-contents.ts'
import { topicsOf } from '../mailbox/redis/topic-script.ts'
import { WATCHES, type Watch } from '../watches/registry.ts'

/**
 * Returns the contents without expired messages, inactive clients, and messages that waited only for inactive clients.
 * Counts what it keeps and leaves out.
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

const watches: MovedTable<Watch> = {
  name: WATCHES,
  kind: 'watches',
  expiresAt: ({ expiresAt }) => expiresAt,
  amount: () => 1,
}

/** Returns all topics in Redis, sorted, so that a repeated transfer has the same order. */
const allTopics = async (redis: Redis): Promise<string[]> => {
  const topics: string[] = []
  for (let shard = 0; shard < SHARDS; shard++) topics.push(...(await topicsOf(redis, shard)))
  return topics.sort()
}

const importOwn = async ({ store, redis, shared, config, tally, log }: Ends<RelayConfig>): Promise<void> => {
  const now = Date.now()
  const patience = patienceOf(config)
  const lifetime = lifetimeOf(patience)
  const clientTopics = createClientTopics(redis, Number.MAX_SAFE_INTEGER, lifetime)
  const shares = createShares(UNLIMITED)
  // A data folder has no client addresses, so only the client is charged, as after a restart.
  const payersOf = (client: Client) => shares.accountOf('client', client).alone

  const restore = async (contents: TopicContents): Promise<void> => {
    const living = livingContents(contents, patience, now, tally)
    for (const { client } of living.clients) await clientTopics.add(client, living.topic)
    await restoreTopic({ redis, patience, payersOf, now }, living)
  }
  await each(readLocalContents(store.log(LOG_NAME), log), restore)
  await recountPayers(redis, await allTopics(redis), lifetime)
  await copyTable(store, shared, watches, tally)
}

const exportOwn = async ({ store, redis, shared, config, tally }: Ends<RelayConfig>): Promise<void> => {
  const now = Date.now()
  const patience = patienceOf(config)
  const write = createLocalWriter(store.log(LOG_NAME))
  for (const topic of await allTopics(redis))
    await write(livingContents(await readTopic(redis, topic, patience, now), patience, now, tally))
  await copyTable(shared, store, watches, tally)
}

export const relayTransfer: Transfer<typeof relayRows> = {
  prefix: 'RELAY',
  name: 'relay',
  rows: relayRows,
  kinds: ['topics', 'messages', 'bytes', 'subscriptions', 'webhooks', 'calls', 'watches'],
  numberOf,
  isForeign: store => store.table('frames').entries().next().done !== true,
  importOwn,
  exportOwn,
}
