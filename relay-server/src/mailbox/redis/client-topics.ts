/** Stores the topics of each client that has a key, across all servers, for the limit of topics per client. */
import { type Redis, scriptOf } from '@heliograph/shared/server/redis/redis'
import { relayError } from '../../reasons.ts'
import type { Client } from '../mailbox.ts'

/** Adds a topic and returns 1. Returns 0 without adding it if the client already has too many topics. */
export const addTopic = scriptOf(`
  if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 then
    if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
    redis.call('SADD', KEYS[1], ARGV[1])
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`)

const keyOf = (client: Client): string => `relay:{client:${client}}:topics`

/** `lifetime` is the time in milliseconds for which an inactive client's topics are kept. */
export const createClientTopics = (redis: Redis, limit: number, lifetime: number) => ({
  /** Throws RpcError -32005 if the client has too many topics. */
  add: async (client: Client, topic: string): Promise<void> => {
    const added = await redis.run(addTopic, [keyOf(client)], [topic, `${limit}`, `${lifetime}`])
    if (added !== 1) throw relayError('limitExceeded', 'clientTopics', { limit, setting: 'client-topics' })
  },
  remove: async (client: Client, topic: string): Promise<void> => {
    await redis.send(keyOf(client), ['SREM', keyOf(client), topic])
  },
})
