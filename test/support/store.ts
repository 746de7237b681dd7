/** The store of a test's servers: the files of its data directories, or a Redis for each of them. */
import { existsSync, mkdirSync } from 'node:fs'
import { startRedis, startRedisCluster } from './redis.ts'

/** `redis` or `cluster` if the servers of this test run store there. A project of vitest.config.ts sets it. */
const STORE = process.env.TEST_STORE

type Store = { urls: readonly string[]; stop: () => Promise<void> }

/** The Redis of each data directory. It ends once the directory is gone and another one needs a Redis, or with the test. */
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

/** The setting `redisUrl` of a server with this data directory: that of its Redis, empty if it stores in files. */
export const redisUrlOf = async (dataDir: string): Promise<readonly string[]> => {
  if (STORE === undefined) return []
  const known = stores.get(dataDir)
  if (!known) {
    // It is gone only when the test has removed it.
    mkdirSync(dataDir, { recursive: true })
    await endUnused()
  }
  const store = known ?? startStore()
  stores.set(dataDir, store)
  return (await store).urls
}
