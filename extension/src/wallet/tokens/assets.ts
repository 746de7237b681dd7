/** The user's token list, by network. */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { createCell, type Store } from '../storage/store.ts'

/** An ERC-20 token: https://eips.ethereum.org/EIPS/eip-20 */
export type Asset = { chainId: number; address: Address; symbol: string; decimals: number }

export type Assets = {
  list(): Promise<readonly Asset[]>
  /** Adds a token, or replaces the entry with the same contract. */
  add(asset: Asset): Promise<void>
  remove(chainId: number, address: Address): Promise<void>
}

const isSame = (one: Pick<Asset, 'chainId' | 'address'>, other: Pick<Asset, 'chainId' | 'address'>) =>
  one.chainId === other.chainId && sameAddress(one.address, other.address)

export const createAssets = (store: Store): Assets => {
  const cell = createCell<readonly Asset[]>(store, 'assets', [])
  return {
    list: cell.read,
    add: async asset => {
      await cell.update(assets => [...assets.filter(other => !isSame(asset, other)), asset])
    },
    remove: async (chainId, address) => {
      await cell.update(assets => assets.filter(asset => !isSame(asset, { chainId, address })))
    },
  }
}
