/**
 * Approved batches of calls (EIP-5792) with their transaction hashes. They are stored because a site may request a
 * batch's status at any later time: https://eips.ethereum.org/EIPS/eip-5792
 */
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { createCell, type Store } from '../storage/store.ts'

/**
 * `hashes` and `nonces` are in the order of the calls; a single one may be of a transaction that runs all calls. The
 * node accepted the first `sent` transactions. `key` identifies the request.
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
  /** Returns the bundle of a request. */
  ofKey(key: string): Promise<Bundle | undefined>
  /** Adds or replaces a bundle. */
  put(bundle: Bundle): Promise<void>
  remove(origin: string, id: string): Promise<void>
}

/** Limits: bundles per site (the newest are kept), and the lifetime of a bundle in ms. */
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
