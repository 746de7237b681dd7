/** The store of a test's servers: files in their data directories, or a Redis server for each directory. */
import { existsSync, mkdirSync } from 'node:fs'
import { type RedisServer, startRedis, startRedisCluster } from './redis.ts'

/** `redis` or `cluster` if the servers of this run store in Redis. A project of vitest.config.ts sets it. */
const STORE = process.env.TEST_STORE

/** False in the runs with Redis, which leave out tests of what never reaches the store. */
export const isLocalStore = STORE === undefined

/** The Redis servers of each data directory. */
const stores = new Map<string, Promise<readonly RedisServer[]>>()

const startStore = async (): Promise<readonly RedisServer[]> =>
  STORE === 'cluster' ? (await startRedisCluster()).servers : [await startRedis()]

/** Takes the servers of a directory that was removed, and empties them. Returns undefined if there are none. */
const takeUnused = (): Promise<readonly RedisServer[]> | undefined => {
  for (const [dataDir, store] of stores)
    if (!existsSync(dataDir)) {
      stores.delete(dataDir)
      return store.then(async servers => {
        await Promise.all(servers.map(({ command }) => command('FLUSHALL')))
        return servers
      })
    }
  return undefined
}

/** Returns the setting `redisUrl` of a server with this data directory. Empty if the server stores in files. */
export const redisUrlOf = async (dataDir: string): Promise<readonly string[]> => {
  if (STORE === undefined) return []
  // The directory must exist: the servers of a missing directory count as unused.
  mkdirSync(dataDir, { recursive: true })
  const store = stores.get(dataDir) ?? takeUnused() ?? startStore()
  stores.set(dataDir, store)
  return (await store).map(({ url }) => url)
}
