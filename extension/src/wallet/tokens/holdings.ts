/** Reads the balances of an account's listed tokens and collections, and caches them per block. */
import type { AssetKind, HoldingsView, ItemView } from '../../messages.ts'
import { askQuantity, isRefusal } from '../networks/node.ts'
import { readersOf } from '../networks/node-uses.ts'
import type { Asset } from './assets.ts'
import type { FoundToken } from './found.ts'
import { type AccountAtNode, readBalances, readItems } from './token-contracts.ts'

/** Balances at a block. `block` is null if the node does not report it; then the reading is not reused. */
type Reading = { about: string; block: bigint | null; view: Omit<HoldingsView, 'offered'> }

export type Holdings = {
  /** Returns the balances. Throws 4901. */
  read(place: AccountAtNode, assets: readonly Asset[], collections: readonly FoundToken[]): Promise<Reading['view']>
}

/** Maximum number of cached readings, one per account and network. */
const MOST_READINGS = 20

const blockOf = async ({ chain, network }: AccountAtNode): Promise<bigint | null> => {
  try {
    return await askQuantity(chain, network, 'eth_blockNumber')
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** Returns a collection's balance. ERC-1155 has no count, so the account's known items are counted. */
const countOf = (kind: AssetKind, balance: string | null, items: readonly ItemView[]): string | null =>
  kind === 'erc1155' && balance !== null ? String(items.length) : balance

export const createHoldings = (): Holdings => {
  const readings = new Map<string, Reading>()

  return {
    read: async (place, assets, collections) => {
      if (assets.length + collections.length === 0) return { tokens: [], collections: [] }
      const { network, account } = place
      const owner = `${network.chainId} ${account}`
      const about = JSON.stringify([readersOf(network), assets, collections])
      const block = await blockOf(place)
      const last = readings.get(owner)
      if (last && last.about === about && block !== null && last.block === block) return last.view
      const tokens = assets.map(({ address }) => ({ address, kind: 'erc20' as const, ids: [] }))
      const [held, items] = await Promise.all([
        readBalances(place, [...tokens, ...collections]),
        readItems(place, collections),
      ])
      const view = {
        tokens: tokens.map(({ address }, at) => ({ address, amount: held[at] ?? null })),
        collections: collections.map(({ address, kind, symbol }, at) => ({
          address,
          kind,
          name: symbol,
          items: countOf(kind, held[tokens.length + at] ?? null, items[at] ?? []),
          held: items[at] ?? [],
        })),
      }
      readings.delete(owner)
      readings.set(owner, { about, block, view })
      for (const old of [...readings.keys()].slice(0, -MOST_READINGS)) readings.delete(old)
      return view
    },
  }
}
