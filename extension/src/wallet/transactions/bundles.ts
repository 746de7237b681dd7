/**
 * Batches of calls that were approved, EIP-5792, with the hashes of their transactions. They are kept on disk, since a site
 * may ask for the status of one for as long as it likes to remember its id: https://eips.ethereum.org/EIPS/eip-5792
 */
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { createCell, type Store } from '../store.ts'

/**
 * `hashes` are those of all calls, in order, of which the node took the first `sent`, and `nonces` their nonces. `key` is
 * that of the request they came with.
 */
export type Bundle = {
  id: string
  origin: string
  key: string
  chainId: number
  from: Address
  nonces: readonly number[]
  hashes: readonly Hex[]
  sent: number
  createdAt: number
}

export type Bundles = {
  get(origin: string, id: string): Promise<Bundle | undefined>
  /** The one that a request made. */
  ofKey(key: string): Promise<Bundle | undefined>
  /** Keeps it as it is now. */
  put(bundle: Bundle): Promise<void>
  remove(origin: string, id: string): Promise<void>
}

/** Bounds of what is kept: the newest of each site, and for how long at least they are worth asking for, in ms. */
export const MAX_BUNDLES_PER_SITE = 50
export const BUNDLE_LIFETIME = 30 * 24 * 60 * 60_000

export const createBundles = (store: Store): Bundles => {
  const cell = createCell<readonly Bundle[]>(store, 'bundles', [])
  const without = (bundles: readonly Bundle[], origin: string, id: string) =>
    bundles.filter(bundle => bundle.origin !== origin || bundle.id !== id)

  return {
    get: async (origin, id) => (await cell.read()).find(bundle => bundle.origin === origin && bundle.id === id),
    ofKey: async key => (await cell.read()).find(bundle => bundle.key === key),
    put: async added => {
      await cell.update(bundles => {
        const { origin, id, createdAt } = added
        const others = without(bundles, origin, id).filter(other => other.createdAt > createdAt - BUNDLE_LIFETIME)
        const ofSite = others.filter(other => other.origin === origin)
        const dropped = ofSite.slice(0, Math.max(0, ofSite.length + 1 - MAX_BUNDLES_PER_SITE))
        return [...others.filter(other => !dropped.includes(other)), added]
      })
    },
    remove: async (origin, id) => {
      await cell.update(bundles => without(bundles, origin, id))
    },
  }
}
