/** The user's token list, by network. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { createCell, type Store } from '../storage/store.ts'

/**
 * An ERC-20 token: https://eips.ethereum.org/EIPS/eip-20. `isFound` is set if the wallet added it from its catalogue,
 * because an account holds it; lists then show it only for accounts that hold it.
 */
export type Asset = { chainId: number; address: Address; symbol: string; decimals: number; isFound?: true }

export type Assets = {
  list(): Promise<readonly Asset[]>
  /** Adds tokens, or replaces the entries with the same contracts. */
  add(...assets: readonly Asset[]): Promise<void>
  remove(chainId: number, address: Address): Promise<void>
}

const isSame = (one: Pick<Asset, 'chainId' | 'address'>, other: Pick<Asset, 'chainId' | 'address'>) =>
  one.chainId === other.chainId && sameAddress(one.address, other.address)

export const createAssets = (store: Store): Assets => {
  const cell = createCell<readonly Asset[]>(store, 'assets', [])
  return {
    list: cell.read,
    add: async (...added) => {
      await cell.update(assets => [...assets.filter(other => !added.some(asset => isSame(asset, other))), ...added])
    },
    remove: async (chainId, address) => {
      await cell.update(assets => assets.filter(asset => !isSame(asset, { chainId, address })))
    },
  }
}
