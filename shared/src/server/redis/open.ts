/** Connects to Redis, and rejects servers that would lose data. */
import { databaseOf, placeOf } from './address.ts'
import { openCluster } from './cluster.ts'
import { type Fields, fieldsOf } from './info.ts'
import { type Redis, RedisUnavailable } from './redis.ts'
import { openSingle } from './single.ts'

const MIN_MAJOR = 7
/** A cluster node's reply to the selection of a numbered database. */
const NO_DATABASES = 'SELECT is not allowed in cluster mode'

export type RedisNeeds = {
  /**
   * Writes are acknowledged once they are in the primary's memory (`process`), or fsynced
   * to its append-only file (`disk`).
   */
  durability: 'process' | 'disk'
}

const infoOf = async (redis: Redis): Promise<Fields> => {
  try {
    return fieldsOf(`${await redis.send('', ['INFO'])}`)
  } catch (thrown) {
    throw new Error(`Redis does not report its state: ${thrown instanceof Error ? thrown.message : thrown}`, {
      cause: thrown,
    })
  }
}

/** Throws an error for the operator if the server is too old, evicts data, or is less durable than required. */
const refuseUnfit = async (redis: Redis, info: Fields, needs: RedisNeeds): Promise<void> => {
  const version = info.get('redis_version') ?? ''
  if (version !== '' && Number.parseInt(version, 10) < MIN_MAJOR)
    throw new Error(`Redis ${version} is too old: version ${MIN_MAJOR} or later is required`)
  const policy = info.get('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction')
    throw new Error(`Redis would evict stored messages: set maxmemory-policy to noeviction, it is ${policy}`)
  if (needs.durability === 'process') return
  const fsync = await redis.send('', ['CONFIG', 'GET', 'appendfsync'])
  const isAlways = typeof fsync === 'object' && fsync !== null && Object.values(fsync).includes('always')
  if (info.get('aof_enabled') !== '1' || !isAlways)
    throw new Error('durability disk requires appendonly yes and appendfsync always in Redis')
}

/**
 * Connects to a single server, to the primary among several, or to a cluster through some of its nodes. Throws an error
 * for the operator, without user names and passwords.
 */
export const openRedis = async (urls: readonly [string, ...string[]], needs: RedisNeeds): Promise<Redis> => {
  if (new Set(urls.map(databaseOf)).size > 1) throw new Error('the Redis URLs must all name the same database')
  const single = await openAny(urls)
  try {
    const info = await infoOf(single)
    await refuseUnfit(single, info, needs)
    if (info.get('cluster_enabled') !== '1') return single
  } catch (thrown) {
    await single.close()
    throw thrown
  }
  await single.close()
  return openCluster(urls)
}

const openAny = async (urls: readonly [string, ...string[]]): Promise<Redis> => {
  try {
    return await openSingle(urls)
  } catch (thrown) {
    if (!(thrown instanceof RedisUnavailable)) throw thrown
    if (thrown.message.includes(NO_DATABASES))
      throw new Error('Redis is a cluster, which has no numbered databases: leave out the number in its URLs')
    throw new Error(`Redis cannot be used at ${urls.map(placeOf).join(', ')}: ${thrown.message}`, { cause: thrown })
  }
}
