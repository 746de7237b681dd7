/** Stores that can be copied, so tests can start from the same prepared wallet. */
import { memoryStore, type Store, type Stores } from './store.ts'

const NAMES = ['local', 'session'] as const

export type MapStores = { stores: Stores; written: Record<(typeof NAMES)[number], Map<string, unknown>> }

/** Creates in-memory stores that record what is written. */
export const mapStores = (): MapStores => {
  const written = { local: new Map<string, unknown>(), session: new Map<string, unknown>() }
  const noting = (name: keyof typeof written): Store => {
    const store = memoryStore()
    return {
      get: store.get,
      set: async (key, value) => {
        await store.set(key, value)
        written[name].set(key, value)
      },
      remove: async key => {
        await store.remove(key)
        written[name].delete(key)
      },
    }
  }
  return { stores: { local: noting('local'), session: noting('session') }, written }
}

/** Creates new stores with the same contents. */
export const copyOfStores = async ({ written }: MapStores): Promise<Stores> => {
  const stores = { local: memoryStore(), session: memoryStore() }
  for (const name of NAMES) for (const [key, value] of written[name]) await stores[name].set(key, value)
  return stores
}
