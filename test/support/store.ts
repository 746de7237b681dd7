/** The store of a test's servers: files in their data directories, or a Redis server for each directory. */
import { existsSync, mkdirSync } from 'node:fs'
import { startRedis, startRedisCluster } from './redis.ts'

/** `redis` or `cluster` if the servers of this run store in Redis. A project of vitest.config.ts sets it. */
const STORE = process.env.TEST_STORE

/** False in the runs with Redis, which leave out tests of what never reaches the store. */
export const isLocalStore = STORE === undefined

type Store = { urls: readonly string[]; stop: () => Promise<void> }

/**
 * The Redis store of each data directory. After a directory was removed, its store stops when the next store is
 * started, or when the test ends.
 */
const stores = new Map<string, Promise<Store>>()

const startStore = async (): Promise<Store> => {
  if (STORE === 'cluster') return startRedisCluster()
  const { url, stop } = await startRedis()
  return { urls: [url], stop }
}

const endUnused = async (): Promise<void> => {
  const unused = [...stores].filter(([dataDir]) => !existsSync(dataDir))
  for (const [dataDir] of unused) stores.delete(dataDir)
  await Promise.all(unused.map(async ([, store]) => (await store).stop()))
}

/** Returns the setting `redisUrl` of a server with this data directory. Empty if the server stores in files. */
export const redisUrlOf = async (dataDir: string): Promise<readonly string[]> => {
  if (STORE === undefined) return []
  const known = stores.get(dataDir)
  if (!known) {
    // The directory must exist: a store without its directory counts as unused.
    mkdirSync(dataDir, { recursive: true })
    await endUnused()
  }
  const store = known ?? startStore()
  stores.set(dataDir, store)
  return (await store).urls
}
